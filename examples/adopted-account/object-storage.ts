import { ObjectStorageBucket, ObjectStorageKey } from "pulumi-cloudinfra";

export const assets = new ObjectStorageBucket("assets", {
  label: "assets",
  cluster: "us-east-1",
});

export const deployment = new ObjectStorageKey("deployment", {
  label: "deployment",
});
