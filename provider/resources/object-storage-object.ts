import { z } from "zod";
import { bucketParams, ObjectName, ObjectStorageClusterId, ObjectStorageObject, objectStorageObjects } from "../../api";
import { resource } from "../engine/resource";
import { UNKNOWN } from "../engine/unknown";
import { Asset, digestOf, type Given, oneWay, plainAsset, wayOf } from "./content";
import { erase, lookAt, refuseOther, rewrite, write } from "./object-content";

const source = "part 2 · Endpoints · Object storage";
const { etag, last_modified, owner, size } = ObjectStorageObject.shape;
const { content_type } = objectStorageObjects.createUrl.body.shape;

const told = { toldBy: "content_hash" };

const outputs = z.strictObject({
  name: ObjectName,
  etag: etag.unwrap().describe("MD5 of the content, in hex."),
  last_modified: last_modified.unwrap().describe("When the object was written, in UTC."),
  owner: owner.unwrap().describe("Id of the account that owns it."),
  size: size.unwrap().describe("Bytes of the content."),
  acl: objectStorageObjects.viewAcl.result.shape.acl,
});

export const objectStorageObject = resource({
  kind: "ObjectStorageObject",
  summary: "An object of a bucket: a text, a file or an asset of the program.",
  source,
  area: "objectStorageObjects",
  place: z.strictObject({ ...bucketParams, name: ObjectName }),
  inputs: z.strictObject({
    cluster: ObjectStorageClusterId.describe("Cluster that holds the bucket."),
    bucket: bucketParams.bucket,
    name: ObjectName.describe("Name of the object in its bucket, such as `docs/index.html`."),
    content: z.string().optional().meta(told).describe("What the object holds, as a text."),
    file: z.string().min(1).optional().meta(told).describe("Path of the file that the object holds."),
    source: Asset.optional()
      .meta(told)
      .describe("What the object holds, as an asset: a file, a text, or what an address answers."),
    content_type: content_type
      .unwrap()
      .optional()
      .describe(
        "The `Content-Type` of the object. If omitted, it follows from the ending of the file's name, then of the object's name: `text/html` for `index.html`, and `application/octet-stream` where neither is known. The API does not return it, so drift is not detected.",
      ),
    acl: objectStorageObjects.updateAcl.body.shape.acl
      .optional()
      .describe(
        "Who else may read it; the bucket's when absent. `custom` lets in nobody but the owner. Writing the object anew gives it the bucket's for a moment.",
      ),
    content_hash: z.string().optional().meta({ computed: true }).describe("SHA-256 of the content, in hex."),
    etag: z.string().optional().meta({ computed: true }).describe("MD5 of the content, in hex."),
  }),
  outputs,
  parent: { cluster: "clusterId", bucket: "bucket" },
  changes: {
    cluster: "replace",
    bucket: "replace",
    name: "replace",
    // Where content comes from is no matter of the service; what it is, its hash tells.
    content: "local",
    file: "local",
    source: "local",
    etag: "local",
    content_hash: "write",
    content_type: "write",
    acl: "share",
  },
  exceptions: {
    content_hash: "the object is written anew, to an address that `objectStorageObjects.createUrl` gives",
    content_type: "the object is written anew, to an address that `objectStorageObjects.createUrl` gives",
    acl: "`objectStorageObjects.updateAcl`",
  },
  steps: {
    write: { run: rewrite },
    share: {
      run: ({ api, path: { name, ...path }, want: { acl = "private" } }) =>
        api.objectStorageObjects.updateAcl({ path, body: { acl, name } }),
    },
  },
  // The service tells the MD5 only; a content whose MD5 is the wanted one's is the wanted one.
  observe: { content_hash: ({ etag }, want) => (etag === want.etag ? want.content_hash : etag) },
  compare: { content_hash: (hash, { etag, content_hash }) => (hash === etag ? content_hash : hash) },
  rules: oneWay(source),
  key: "repeatable",
  // A preview reads all of the content, which a remote asset has to be downloaded for.
  timeouts: { create: 3600, update: 3600, read: 3600 },
  async complete(known, host, stated) {
    const given: Given = known.source ? { ...known, source: plainAsset(known.source) } : known;
    if (!wayOf(given)) {
      // An adopted object's program may leave its content as it is.
      const isUnknown = ["content", "file", "source"].some((way) => stated.includes(way));
      return isUnknown ? { inputs: { content_hash: UNKNOWN, etag: UNKNOWN } } : {};
    }
    const { digest, problems = [] } = await digestOf(host, given);
    const plain = given.source ? { source: given.source } : {};
    return { inputs: { ...plain, ...(digest && { content_hash: digest.sha256, etag: digest.md5 }) }, problems };
  },
  async create({ host, api, want }) {
    const path = { clusterId: want.cluster, bucket: want.bucket, name: want.name };
    await refuseOther(api, path, want);
    await write({ host, api, path, want });
    return path;
  },
  look: ({ api, path }) => lookAt(api, path),
  delete: ({ host, api, path }) => erase({ host, api, path }),
});
