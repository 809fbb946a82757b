import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { Domain, DomainRecord, ObjectStorageBucket, ObjectStorageKey, ObjectStorageObject } from "pulumi-cloudinfra";

const config = new pulumi.Config();
const cluster = config.require("cluster");
const domain = config.require("domain");
const host = `www.${domain}`;

// The bucket has the name of the host, by which the service finds the bucket of a request.
const bucket = new ObjectStorageBucket("website", {
  cluster,
  label: host,
  acl: "public-read",
  certificate: {
    certificate: config.require("cert"),
    privateKey: config.requireSecret("key"),
  },
});

// Every file in `public`. A changed file is uploaded again, and a deleted one is deleted from the bucket.
const folder = join(__dirname, "public");
const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
for (const { parentPath, name } of files) {
  const file = join(parentPath, name);
  const path = file.slice(folder.length + 1).replaceAll("\\", "/");
  new ObjectStorageObject(path, { cluster, bucket: bucket.label, name: path, file, acl: "public-read" });
}

const zone = new Domain("zone", { domain, type: "master", soaEmail: `admin@${domain}` });
new DomainRecord("www", { domainId: zone.id, type: "CNAME", name: "www", target: bucket.hostname, ttlSec: 300 });

// Only this certificate authority may issue certificates for the domain.
new DomainRecord("caa", { domainId: zone.id, type: "CAA", tag: "issue", target: "letsencrypt.org" });

// A key for a CI job that uploads larger files. It cannot use other buckets.
const uploads = new ObjectStorageKey("uploads", {
  label: "website-uploads",
  bucketAccess: [{ cluster, bucketName: bucket.label, permissions: "read_write" }],
});

export const website = `https://${host}/index.html`;
export const accessKey = uploads.accessKey;
/** Secret: `pulumi stack output secretKey --show-secrets` prints it. */
export const secretKey = uploads.secretKey;
