import { z } from "zod";
import { Empty, Id, ObjectStorageClusterId, Paging, page } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";
import { BucketLabel } from "./object-storage-buckets";

export const ObjectStorageKeyLabel = z.string().min(1).max(50).describe("Label of the key.");

export type BucketAccess = z.output<typeof BucketAccess>;
export const BucketAccess = z.strictObject({
  bucket_name: BucketLabel.describe("Label of the bucket."),
  cluster: ObjectStorageClusterId.describe("Cluster of the bucket."),
  permissions: z.enum(["read_write", "read_only"]).describe("Permissions of the key for the bucket."),
});

export type ObjectStorageKey = z.output<typeof ObjectStorageKey>;
/** Canonical form of a list of buckets, in which order does not matter. */
const asBuckets = (value: unknown): unknown =>
  Array.isArray(value) ? [...value].sort((a, b) => (bucketPath(a) < bucketPath(b) ? -1 : 1)) : value;
const bucketPath = ({ cluster, bucket_name }: Partial<BucketAccess>): string => `${cluster}/${bucket_name}`;
const BucketAccesses = z.array(BucketAccess).meta({ canonical: asBuckets });

/** A key pair for the S3 protocol. */
export const ObjectStorageKey = z.strictObject({
  id: Id,
  label: ObjectStorageKeyLabel,
  access_key: z.string().describe("Access key (public part)."),
  secret_key: z
    .string()
    .meta({ secret: true })
    .describe("Secret key. Returned only when the key is created, afterwards `[REDACTED]`."),
  limited: z.boolean().describe("Whether the key is limited to some buckets."),
  bucket_access: BucketAccesses.nullable().describe(
    "Buckets that a limited key can access. Null if the key is not limited.",
  ),
});

/** The placeholder for secret keys in responses. */
export const REDACTED = "[REDACTED]";

const all = "/object-storage/keys";
const one = `${all}/{keyId}` as const;
const source = "part 2 · Endpoints · Object storage";

/**
 * Rule for keys in Pulumi programs: each bucket can be listed only once. The service accepts a bucket that is listed
 * twice, but the second entry is probably a mistake.
 */
export const objectKeyInputRules: Rule<{ bucket_access?: readonly BucketAccess[] | null | undefined }>[] = [
  {
    reads: ["bucket_access"],
    *check({ bucket_access }) {
      const seen = new Set<string>();
      for (const [at, { cluster, bucket_name }] of (bucket_access ?? []).entries()) {
        const bucket = `${cluster}/${bucket_name}`;
        if (seen.has(bucket))
          yield { field: `bucket_access.${at}`, reason: `must not list the bucket ${bucket} twice` };
        seen.add(bucket);
      }
    },
    source: `${source} · rule 5`,
  },
];

export const objectStorageKeys = {
  list: {
    summary: "List the object storage keys without their secrets.",
    method: "GET",
    path: all,
    scopes: ["object_storage:read_only"],
    query: Paging,
    result: page(ObjectStorageKey),
    source,
  },
  create: {
    summary: "Create an object storage key. Only this response contains its secret.",
    method: "POST",
    path: all,
    scopes: ["object_storage:read_write"],
    body: z.strictObject({
      label: ObjectStorageKeyLabel.optional(),
      bucket_access: BucketAccesses.optional().describe(
        "Buckets that the key is limited to. If omitted, the key has access to all buckets of the account.",
      ),
    }),
    result: ObjectStorageKey,
    decided: [
      "A label must have 1 to 50 characters. It defaults to the access key.",
      "The buckets of a limited key must exist. If a bucket is listed twice, the permissions are combined.",
      "Creating the first key enables object storage, like creating the first bucket.",
    ],
    source,
  },
  view: {
    summary: "View an object storage key without its secret.",
    method: "GET",
    path: one,
    scopes: ["object_storage:read_only"],
    result: ObjectStorageKey,
    source,
  },
  update: {
    summary: "Update a key's label.",
    method: "PUT",
    path: one,
    scopes: ["object_storage:read_write"],
    body: z.strictObject({ label: ObjectStorageKeyLabel }).partial(),
    result: ObjectStorageKey,
    source,
  },
  delete: {
    summary: "Delete a key. Requests signed with it are rejected.",
    method: "DELETE",
    path: one,
    scopes: ["object_storage:read_write"],
    result: Empty,
    source,
  },
} satisfies Area;
