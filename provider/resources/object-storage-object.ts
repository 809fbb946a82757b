import { z } from "zod";
import { bucketParams, ObjectName, ObjectStorageClusterId, ObjectStorageObject, objectStorageObjects } from "../../api";
import { isInDoubt, isNotFound } from "../client/errors";
import { isEqual } from "../engine/comparison";
import { resource } from "../engine/definition";
import type { Host } from "../engine/host";
import { UNKNOWN } from "../engine/values";
import {
  Asset,
  asLost,
  digestOf,
  type Given,
  oneWay,
  open,
  plainAsset,
  TransferError,
  transfer,
  typeByEnding,
  wayOf,
} from "./content";

const source = "part 2 · Endpoints · Object storage";
const { etag, last_modified, owner, size } = ObjectStorageObject.shape;
const { content_type } = objectStorageObjects.createUrl.body.shape;

type Acl = z.infer<typeof objectStorageObjects.updateAcl.body>["acl"];

const hashed = { hashedIn: "content_hash" };

const rewritten = {
  change: "write",
  by: ["objectStorageObjects.createUrl"],
  // An upload removes the object's own ACL.
  touches: ["last_modified", "size", "etag", "acl"],
  note: "the object is uploaded again",
} as const;

export const objectStorageObject = resource({
  name: "ObjectStorageObject",
  summary: "Manages an object in a bucket, from a text, a file or a Pulumi asset.",
  elsewhere: { terraform: "linode_object_storage_object", pulumi: "ObjectStorageObject" },
  inputs: z.strictObject({
    cluster: ObjectStorageClusterId.describe("Cluster of the bucket."),
    bucket: bucketParams.bucket,
    name: ObjectName.describe("Name (key) of the object in its bucket, such as `docs/index.html`."),
    content: z.string().optional().meta(hashed).describe("Content of the object as a text."),
    file: z.string().min(1).optional().meta(hashed).describe("Path of a file with the content of the object."),
    source: Asset.optional().meta(hashed).describe("Content of the object as an asset: a file, a text or a URL."),
    content_type: content_type
      .unwrap()
      .optional()
      .describe(
        "`Content-Type` of the object. If omitted, it is derived from the extension of the file, then of the object's name: `text/html` for `index.html`, and `application/octet-stream` if unknown. The API does not return it, so drift is not detected.",
      ),
    acl: objectStorageObjects.updateAcl.body.shape.acl
      .optional()
      .describe(
        "ACL of the object: read access for everyone else. With `public-read`, everyone on the internet can read it. If omitted, a new object has the ACL of its bucket, and removing the input changes nothing. With `custom`, only the owner has access. While the object is uploaded again, the ACL of the bucket applies.",
      ),
    content_hash: z
      .string()
      .optional()
      .meta({ computed: true })
      .describe("SHA-256 hash of the content, as hexadecimal digits."),
    etag: z.string().optional().meta({ computed: true }).describe("MD5 of the content in hex."),
  }),
  outputs: z.strictObject({
    name: ObjectName,
    etag: etag.unwrap().describe("MD5 of the content in hex."),
    last_modified: last_modified.unwrap().describe("Time of the last write in UTC."),
    owner: owner.unwrap().describe("Id of the account that owns the object."),
    size: size.unwrap().describe("Size of the content in bytes."),
    acl: objectStorageObjects.viewAcl.result.shape.acl
      .meta({ volatile: true })
      .describe("ACL of the object, if the program declares one. Otherwise it is not managed."),
  }),
  identity: {
    area: "objectStorageObjects",
    parents: { cluster: "clusterId", bucket: "bucket" },
    lookup: {
      path: z.strictObject({ ...bucketParams, name: ObjectName }),
      async get({ api, path, want, state }) {
        try {
          const entry = await entryOf(api, path);
          if (!entry) return undefined;
          const { name, etag, last_modified, owner, size } = entry;
          const { acl } = await api.objectStorageObjects.viewAcl({ path: bucketOf(path), query: { name } });
          return {
            name,
            etag: etag ?? "",
            last_modified: last_modified ?? "",
            owner: owner ?? "",
            size: size ?? 0,
            // Without an ACL of its own, the object has that of its bucket, which can equal the declared one.
            acl: acl === want.acl && acl !== state.acl ? undefined : acl,
          };
        } catch (error) {
          if (isNotFound(error)) return undefined;
          throw error;
        }
      },
    },
    // The object of a lost or interrupted upload is deleted, because the next upload can have another content type, which
    // the API does not return, or another bucket.
    lostCreate: {
      match: ["cluster", "bucket", "name", "content_hash", "etag"],
      async candidates({ api, want }) {
        const path = pathOf(want);
        return (await entryOf(api, path)) ? [path] : [];
      },
      found: "recreate",
    },
  },
  inventory: {
    file: "object-storage",
    list: "byId",
    omissionReason: "a bucket can have millions of objects, and their content would have to be downloaded",
    title: "name",
  },
  fields: {
    cluster: "replace",
    bucket: "replace",
    name: "replace",
    // Changes of `content`, `file` and `source` are detected only by `content_hash`, the hash of the content.
    content: "local",
    file: "local",
    source: "local",
    etag: "local",
    content_hash: {
      ...rewritten,
      // The API returns only the MD5 of the content. If the MD5 is that of the declared content, the content is
      // unchanged.
      current: ({ etag }, want) => (etag === want.etag ? want.content_hash : etag),
      canonical: (hash, { etag, content_hash }) => (hash === etag ? content_hash : hash),
    },
    content_type: rewritten,
    acl: {
      change: "share",
      by: ["objectStorageObjects.updateAcl"],
      touches: ["last_modified"],
      // An upload outside Pulumi, or by an interrupted update, has removed the object's own ACL.
      current: ({ acl, etag }, want) =>
        acl === want.acl && want.etag !== undefined && etag !== want.etag ? undefined : acl,
    },
  },
  steps: {
    write: {
      async run({ host, api, path, want, declared, observed, setState }) {
        if (want.content_hash !== declared.content_hash)
          throw new Error(
            `contentType of object ${idOf(path)} cannot change without an upload, and its content was changed outside the program. Run "pulumi refresh", so that the preview shows that the declared content is uploaded`,
          );
        // An upload removes the object's own ACL. Without one in state, the next update sets it, even if the bucket has
        // the same one.
        const sent = await write({ host, api, path, want }).catch(async (error) => {
          if (isInDoubt(error)) {
            setState({ acl: undefined });
            // The next update does not know the ACL that the program does not declare.
            if (!want.acl)
              await restore(host.grace().api, path, observed.acl).catch(({ message }) =>
                host.warn(`the upload may have removed the ACL ${observed.acl} of object ${idOf(path)}: ${message}`),
              );
          }
          throw error;
        });
        // From now on, a failure leaves an object that the update has changed.
        setState({ acl: undefined, content_type: want.content_type });
        if (want.acl) await share(api, path, want, setState);
        else await restore(api, path, observed.acl);
        // The content has changed since the preview.
        if (sent !== want.etag)
          throw new Error(`${callOf("PUT", path)}: the content changed during the upload. Run the update again`);
      },
    },
    share: { run: ({ api, path, want, setState }) => share(api, path, want, setState) },
  },
  checks: {
    rules: oneWay(source),
    async resolve(known, host, declared) {
      const content: Given = known.source ? { ...known, source: plainAsset(known.source) } : known;
      if (!wayOf(content)) {
        // The content is unknown in this preview if the program declares one of these inputs. Otherwise the program
        // declares no content, as it may for an adopted object.
        const isUnknown = ["content", "file", "source"].some((way) => declared.includes(way));
        return isUnknown ? { inputs: { content_hash: UNKNOWN, etag: UNKNOWN } } : {};
      }
      const { digest, problems = [] } = await digestOf(host, content);
      const plainSource = content.source ? { source: content.source } : {};
      return { inputs: { ...plainSource, ...(digest && { content_hash: digest.sha256, etag: digest.md5 }) }, problems };
    },
  },
  // The ACL is set by the update `share` once the id is in state, because its request can fail.
  async create({ host, api, want }) {
    const path = pathOf(want);
    const existing = await entryOf(api, path);
    // An object with the same content may come from a create request whose response was lost. An object with other
    // content must not be overwritten.
    if (existing && existing.etag !== want.etag) {
      const id = idOf(path);
      throw new Error(
        `ObjectStorageObject ${id} already exists with other content. If you renamed the resource in the program, add the resource option aliases. Otherwise, adopt the object (${host.adoptCommand("ObjectStorageObject")} NAME ${id}), delete it, or choose another name`,
      );
    }
    await write({ host, api, path, want });
    return path;
  },
  delete: {
    declaredBy:
      ({ path, state: { content_hash } }) =>
      ({ kind, path: other, want }) =>
        kind === "ObjectStorageObject" &&
        isEqual(path, other) &&
        (want.content_hash === undefined || want.content_hash === content_hash),
    run: ({ host, api, path }) =>
      transfer(host, {
        what: callOf("DELETE", path),
        method: "DELETE",
        url: () => signedUrl(api, path, { method: "DELETE" }),
      }).catch((error) => {
        if (!(error instanceof TransferError) || error.status !== 404) throw error;
      }),
  },
  // One hour, because contents can be large. Reads need it too: a preview reads the whole content to compute its hash,
  // and downloads a remote asset for that.
  timeouts: { create: 3600, update: 3600, read: 3600 },
});

interface Path {
  clusterId: string;
  bucket: string;
  name: string;
}

const pathOf = ({ cluster, bucket, name }: { cluster: string; bucket: string; name: string }): Path => ({
  clusterId: cluster,
  bucket,
  name,
});
const idOf = ({ clusterId, bucket, name }: Path): string => `${clusterId}/${bucket}/${name}`;
const bucketOf = ({ clusterId, bucket }: Path) => ({ clusterId, bucket });
const callOf = (method: string, path: Path): string => `${method} of object ${idOf(path)}`;

/**
 * The object's entry in the list of the bucket's objects. With the object's name as the prefix, the entry is on the
 * first page, because the list is sorted by name.
 */
async function entryOf(api: Host["api"], path: Path): Promise<ObjectStorageObject | undefined> {
  const query = { prefix: path.name, page_size: 25 };
  const { data } = await api.objectStorageObjects.list({ path: bucketOf(path), query });
  return data.find(({ name }) => name === path.name);
}

interface Writing {
  host: Host;
  api: Host["api"];
  path: Path;
  want: Given & { content_type?: string | undefined };
}

/**
 * Uploads the content, and overwrites an existing object. Returns the MD5 of the content that the service has received.
 */
async function write({ host, api, path, want }: Writing): Promise<string> {
  const { content_type = typeByEnding(want.file, want.source?.path, urlPath(want.source?.uri), path.name) } = want;
  const content = await open(host, want);
  const { etag } = await transfer(host, {
    what: callOf("PUT", path),
    method: "PUT",
    url: () => signedUrl(api, path, { method: "PUT", content_type }),
    headers: { "content-type": content_type, "content-length": String(content.size) },
    body: content.bytes,
  }).catch((error) => {
    throw asLost(callOf("PUT", path), error);
  });
  return String(etag).replaceAll('"', "");
}

/**
 * Sets a declared ACL, even if the object has it already: an object without an ACL of its own has the ACL of its
 * bucket, and that can change. Uploading an object removes its own ACL.
 */
async function share(
  api: Host["api"],
  path: Path,
  { acl }: { acl?: Acl | undefined },
  setState: (values: { acl: Acl }) => void,
): Promise<void> {
  if (!acl) return;
  await api.objectStorageObjects.updateAcl({ path: bucketOf(path), body: { acl, name: path.name } });
  setState({ acl });
}

/** Sets the ACL that the object had before an upload again, because an ACL that the program omits is not managed. */
async function restore(api: Host["api"], path: Path, acl: Acl | undefined): Promise<void> {
  const [at, { name }] = [{ path: bucketOf(path) }, path];
  const now = await api.objectStorageObjects.viewAcl({ ...at, query: { name } });
  if (acl && now.acl !== acl) await api.objectStorageObjects.updateAcl({ ...at, body: { acl, name } });
}

/** The URL's path, whose ending determines the content type. The query must not be part of it. */
const urlPath = (uri: string | undefined): string | undefined => uri && new URL(uri).pathname;

const TRIES = 3;

/** Requests a pre-signed URL. The request is repeated if its response is lost, because an unused URL does no harm. */
async function signedUrl(
  api: Host["api"],
  path: Path,
  order: { method: "PUT"; content_type: string } | { method: "DELETE" },
): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      const body = { name: path.name, ...order };
      return (await api.objectStorageObjects.createUrl({ path: bucketOf(path), body })).url;
    } catch (error) {
      if (!isInDoubt(error) || tries === TRIES) throw error;
    }
  }
}
