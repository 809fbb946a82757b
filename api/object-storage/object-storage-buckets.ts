import { z } from "zod";
import { Created, Empty, ObjectStorageClusterId, Paging, page } from "../schema/common";
import type { Area } from "../schema/operation";

/** How many objects a bucket may hold that is deleted by force: as many as one request of the standard protocol deletes. */
export const FORCE_LIMIT = 1000;

/** What a bucket or an object can be made with; the documents call these canned. */
export const CannedAcl = z.enum(["private", "public-read", "authenticated-read", "public-read-write"]);

export type Acl = z.output<typeof Acl>;
export const Acl = z
  .enum([...CannedAcl.options, "custom"])
  .describe("Who else may read or write; `custom` stands for rules of one's own and lets in nobody but the owner.");

export const BucketLabel = z
  .string()
  .min(3)
  .max(63)
  .regex(/^[a-z0-9][a-z0-9-]*$/, "must start with a letter or digit and hold only small letters, digits and dashes")
  .describe("Name of the bucket, unique in its cluster: it becomes part of a host name.");

export type ObjectStorageBucket = z.output<typeof ObjectStorageBucket>;
/** A container of objects. */
export const ObjectStorageBucket = z.strictObject({
  label: BucketLabel,
  cluster: ObjectStorageClusterId.describe("Cluster that holds the bucket."),
  hostname: z
    .string()
    .meta({ contains: "label" })
    .describe("Host name of the bucket: its label under the cluster's domain."),
  size: z.int().min(0).meta({ volatile: true }).describe("Bytes of all objects together."),
  objects: z.int().min(0).meta({ volatile: true }).describe("How many objects there are."),
  created: Created,
});

export const CorsEnabled = z
  .boolean()
  .describe("Whether web pages of other origins may use the bucket: CORS, for every origin.");

const all = "/object-storage/buckets";
const cluster = `${all}/{clusterId}` as const;
const one = `${cluster}/{bucket}` as const;
const source = "part 2 · Endpoints · Object storage";

/** The parameters of a bucket's paths; what can't be one's name is the name of none. */
export const bucketParams = {
  clusterId: z.string().min(1).describe("Cluster that holds the bucket."),
  bucket: z.string().min(1).describe("Label of the bucket."),
};

const Access = z.strictObject({ acl: Acl, cors_enabled: CorsEnabled }).partial();

const accessDecided = [
  "Both operations on `access` change what is given and leave the rest as it is.",
  "`custom` is kept as the name of the ACL and lets in nobody but the owner: nothing here says what the rules would be.",
];

export const objectStorageBuckets = {
  list: {
    summary: "List the buckets of the account, those of all clusters.",
    method: "GET",
    path: all,
    scopes: ["object_storage:read_only"],
    query: Paging,
    result: page(ObjectStorageBucket),
    source,
  },
  create: {
    summary: "Create a bucket; the first one turns object storage on.",
    method: "POST",
    path: all,
    scopes: ["object_storage:read_write"],
    body: z.strictObject({
      label: BucketLabel,
      cluster: ObjectStorageClusterId.describe("Cluster that will hold the bucket."),
      acl: CannedAcl.default("private").describe("Who else may read or write."),
      cors_enabled: CorsEnabled.default(false),
    }),
    result: ObjectStorageBucket,
    decided: [
      "A label is 3 to 63 characters long, as in the standard protocol: it becomes part of a host name.",
      "A bucket that is there already is answered as it is: its objects, its ACL and its CORS setting stay.",
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
    summary: "Delete a bucket, by force with the objects in it.",
    method: "DELETE",
    path: one,
    params: bucketParams,
    scopes: ["object_storage:read_write"],
    query: z.strictObject({
      force: z
        .boolean()
        .default(false)
        .describe(`Whether objects in the bucket are deleted with it, which works for up to ${FORCE_LIMIT} of them.`),
    }),
    result: Empty,
    decided: [
      "The force option is `?force=true`: proxies drop the bodies of DELETE requests.",
      `Without it a bucket with objects is not deleted; with it, one with more than ${FORCE_LIMIT} objects is not.`,
      "Keys that name the bucket lose it: a later bucket of the same label is not theirs.",
    ],
    source,
  },
  modifyAccess: {
    summary: "Change who may use a bucket.",
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
    summary: "Change who may use a bucket, as `modifyAccess` does.",
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
