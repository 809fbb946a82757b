import { ObjectStorageBucket, ObjectStorageObject } from "pulumi-cloudinfra";

const site = new ObjectStorageBucket("site", { cluster: "us-east-1", acl: "public-read" });

// Another text is written to the same place; `file` and `source` take a path or an asset instead.
new ObjectStorageObject("index", {
  cluster: site.cluster,
  bucket: site.label,
  name: "index.html",
  content: "<h1>It works</h1>",
  contentType: "text/html",
});
