import { ObjectStorageBucket, ObjectStorageObject } from "pulumi-cloudinfra";

const site = new ObjectStorageBucket("site", { cluster: "us-east-1", acl: "public-read" });

// Changing the content overwrites the object. Set `file` to a path or `source` to an asset instead of `content`.
new ObjectStorageObject("index", {
  cluster: site.cluster,
  bucket: site.label,
  name: "index.html",
  content: "<h1>It works</h1>",
  contentType: "text/html",
});
