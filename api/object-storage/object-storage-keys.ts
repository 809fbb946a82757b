import { z } from "zod";
import { Empty, Id, ObjectStorageClusterId, Paging, page } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";
import { BucketLabel } from "./object-storage-buckets";

export const ObjectStorageKeyLabel = z.string().min(1).max(50).describe("Name of the key, for people.");

export type BucketAccess = z.output<typeof BucketAccess>;
export const BucketAccess = z.strictObject({
  bucket_name: BucketLabel.describe("Label of the bucket."),
  cluster: ObjectStorageClusterId.describe("Cluster that holds the bucket."),
  permissions: z.enum(["read_write", "read_only"]).describe("What the key may do with the bucket's objects."),
});

export type ObjectStorageKey = z.output<typeof ObjectStorageKey>;
/** Order of the buckets says nothing. */
const asBuckets = (value: unknown): unknown =>
  Array.isArray(value) ? [...value].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)) : value;
const nameOf = ({ cluster, bucket_name }: Partial<BucketAccess>): string => `${cluster}/${bucket_name}`;
const BucketAccesses = z.array(BucketAccess).meta({ canonical: asBuckets });

/** A pair of keys for the standard object storage protocol. */
export const ObjectStorageKey = z.strictObject({
  id: Id,
  label: ObjectStorageKeyLabel,
  access_key: z.string().describe("The public half, which names the key."),
  secret_key: z
    .string()
    .meta({ secret: true })
    .describe("The secret half: told once, when the key is made, and `[REDACTED]` after that."),
  limited: z.boolean().describe("Whether the key can use only the buckets that it names."),
  bucket_access: BucketAccesses.nullable().describe("Buckets that a limited key can use; null without a limit."),
});

/** What stands where a secret key was. */
export const REDACTED = "[REDACTED]";

const all = "/object-storage/keys";
const one = `${all}/{keyId}` as const;
const source = "part 2 · Endpoints · Object storage";

/** What inputs of a program must keep: the service accepts a bucket that is named twice, but one of the entries is a mistake. */
export const objectKeyInputRules: Rule<{ bucket_access?: readonly BucketAccess[] | null | undefined }>[] = [
  {
    reads: ["bucket_access"],
    *check({ bucket_access }) {
      const seen = new Set<string>();
      for (const [at, { cluster, bucket_name }] of (bucket_access ?? []).entries()) {
        const bucket = `${cluster}/${bucket_name}`;
        if (seen.has(bucket)) yield { field: `bucket_access.${at}`, reason: `must not name ${bucket} a second time` };
        seen.add(bucket);
      }
    },
    source: `${source} · rule 5`,
  },
];

export const objectStorageKeys = {
  list: {
    summary: "List the keys for object storage, without their secrets.",
    method: "GET",
    path: all,
    scopes: ["object_storage:read_only"],
    query: Paging,
    result: page(ObjectStorageKey),
    source,
  },
  create: {
    summary: "Create a key for object storage; only this answer tells its secret.",
    method: "POST",
    path: all,
    scopes: ["object_storage:read_write"],
    body: z.strictObject({
      label: ObjectStorageKeyLabel.optional(),
      bucket_access: BucketAccesses.optional().describe(
        "Buckets that the key can use, and only they; without it, all of the account.",
      ),
    }),
    result: ObjectStorageKey,
    decided: [
      "A label is 1 to 50 characters long; a key without one is called by its access key.",
      "A limited key can name only buckets that are there. Where one is named twice, the key may do what either entry permits.",
      "Creating the first key turns object storage on, as creating the first bucket does.",
    ],
    source,
  },
  view: {
    summary: "View a key for object storage, without its secret.",
    method: "GET",
    path: one,
    scopes: ["object_storage:read_only"],
    result: ObjectStorageKey,
    source,
  },
  update: {
    summary: "Change a key's label.",
    method: "PUT",
    path: one,
    scopes: ["object_storage:read_write"],
    body: z.strictObject({ label: ObjectStorageKeyLabel }).partial(),
    result: ObjectStorageKey,
    source,
  },
  delete: {
    summary: "Revoke a key: what is signed with it is refused from now on.",
    method: "DELETE",
    path: one,
    scopes: ["object_storage:read_write"],
    result: Empty,
    source,
  },
} satisfies Area;
