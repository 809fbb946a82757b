import { ObjectStorageBucket, ObjectStorageKey } from "pulumi-cloudinfra";

const logs = new ObjectStorageBucket("logs", { cluster: "us-east-1" });

const writer = new ObjectStorageKey("log-writer", {
  label: "log-writer",
  bucketAccess: [{ cluster: logs.cluster, bucketName: logs.label, permissions: "read_write" }],
});

export const accessKey = writer.accessKey;
/** The API returns the secret key only when the key is created. */
export const secretKey = writer.secretKey;
