import { z } from "zod";
import { ByteCount, Created, Empty, ObjectStorageClusterId, Paging, page } from "../schema/common";
import type { Area } from "../schema/operation";

/**
 * Maximum number of objects in a bucket that can be deleted with `force`: the limit of one S3 request for multiple
 * deletions.
 */
export const FORCE_LIMIT = 1000;

/** The ACLs that a create request can set. S3 calls them canned ACLs. */
export const CannedAcl = z.enum(["private", "public-read", "authenticated-read", "public-read-write"]);

export type Acl = z.output<typeof Acl>;
export const Acl = z
  .enum([...CannedAcl.options, "custom"])
  .describe("ACL of the bucket: access for other accounts. With `custom`, only the owner has access.");

export const BucketLabel = z
  .string()
  .min(3)
  .max(63)
  .regex(
    /^[a-z0-9](?:\.?[a-z0-9-])*$/,
    "must start with a letter or digit and contain only lower-case letters, digits, dashes and single dots",
  )
  .describe("Label of the bucket. Must be unique in the cluster, because it is part of a host name.");

export type ObjectStorageBucket = z.output<typeof ObjectStorageBucket>;
/** A container of objects. */
export const ObjectStorageBucket = z.strictObject({
  label: BucketLabel,
  cluster: ObjectStorageClusterId.describe("Cluster of the bucket."),
  hostname: z
    .string()
    .meta({ contains: "label" })
    .describe("Host name of the bucket: its label, followed by the domain of the cluster."),
  size: ByteCount.meta({ volatile: true }).describe("Total size of the objects in bytes."),
  objects: z.int().min(0).meta({ volatile: true }).describe("Number of objects."),
  created: Created,
});

export const CorsEnabled = z.boolean().describe("Whether CORS is enabled, for all origins.");

const all = "/object-storage/buckets";
const cluster = `${all}/{clusterId}` as const;
const one = `${cluster}/{bucket}` as const;
const source = "part 2 · Endpoints · Object storage";

export const bucketParams = {
  clusterId: z.string().min(1).describe("Cluster of the bucket."),
  bucket: z.string().min(1).describe("Label of the bucket."),
};

const Access = z.strictObject({ acl: Acl, cors_enabled: CorsEnabled }).partial();

const accessDecided = [
  "Both operations on `access` update the given fields and leave the others unchanged.",
  "`custom` is accepted as an ACL and gives access to the owner only, because the API has no field for custom rules.",
];

export const objectStorageBuckets = {
  list: {
    summary: "List the buckets of the account in all clusters.",
    method: "GET",
    path: all,
    scopes: ["object_storage:read_only"],
    query: Paging,
    result: page(ObjectStorageBucket),
    source,
  },
  create: {
    summary: "Create a bucket. Enables object storage for the account if it is not enabled.",
    method: "POST",
    path: all,
    scopes: ["object_storage:read_write"],
    body: z.strictObject({
      label: BucketLabel,
      cluster: ObjectStorageClusterId.describe("Cluster of the bucket."),
      acl: CannedAcl.default("private").describe("ACL of the bucket: access for other accounts."),
      cors_enabled: CorsEnabled.default(false),
    }),
    result: ObjectStorageBucket,
    decided: [
      "A label must have 3 to 63 characters, as in the S3 protocol, because it is part of a host name.",
      "If the bucket already exists, it is returned unchanged, with its objects, ACL and CORS setting.",
    ],
    source,
  },
  listInCluster: {
    summary: "List the buckets of a cluster.",
    method: "GET",
    path: cluster,
    params: { clusterId: bucketParams.clusterId },
    scopes: ["object_storage:read_only"],
    query: Paging,
    result: page(ObjectStorageBucket),
    source,
  },
  view: {
    summary: "View a bucket.",
    method: "GET",
    path: one,
    params: bucketParams,
    scopes: ["object_storage:read_only"],
    result: ObjectStorageBucket,
    source,
  },
  delete: {
    summary: "Delete a bucket, optionally with its objects.",
    method: "DELETE",
    path: one,
    params: bucketParams,
    scopes: ["object_storage:read_write"],
    query: z.strictObject({
      force: z
        .boolean()
        .default(false)
        .describe(
          `Whether to also delete the objects in the bucket. The bucket must have at most ${FORCE_LIMIT} objects.`,
        ),
    }),
    result: Empty,
    decided: [
      "Set `?force=true` in the URL, because proxies drop the bodies of DELETE requests.",
      `Without force, a bucket with objects cannot be deleted. With force, a bucket with more than ${FORCE_LIMIT} objects cannot be deleted.`,
      "The bucket is removed from the keys that are limited to it. A later bucket with the same label is not added to them.",
    ],
    source,
  },
  modifyAccess: {
    summary: "Update the ACL and the CORS setting of a bucket.",
    method: "POST",
    path: `${one}/access`,
    params: bucketParams,
    scopes: ["object_storage:read_write"],
    body: Access,
    result: Empty,
    decided: accessDecided,
    source,
  },
  updateAccess: {
    summary:
      "Update the ACL and the CORS setting of a bucket. Has the same effect as `objectStorageBuckets.modifyAccess`.",
    method: "PUT",
    path: `${one}/access`,
    params: bucketParams,
    scopes: ["object_storage:read_write"],
    body: Access,
    result: Empty,
    decided: accessDecided,
    source,
  },
} satisfies Area;
