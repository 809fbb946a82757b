import type { RowOf } from "../../core/store";
import type { World } from "../../core/world";
import { turnedOn } from "./object-account";
import { ownerXml } from "./object-acl";
import { element, ObjectError, xml } from "./object-protocol";
import { listing } from "./object-store";

const MAX_KEYS = 1000;

/** The buckets of a cluster in the format of S3's ListBuckets. */
export const bucketsXml = (buckets: readonly RowOf<"objectStorageBuckets">[], owner: string): string =>
  xml("ListAllMyBucketsResult", [
    ownerXml(owner),
    element(
      "Buckets",
      buckets.map(({ label, created }) =>
        element("Bucket", [element("Name", label), element("CreationDate", zoned(created))]),
      ),
    ),
  ]);

/** A page of a bucket's objects, in the response format of S3's ListObjectsV2. */
export function listingXml(world: World, bucket: RowOf<"objectStorageBuckets">, query: URLSearchParams): string {
  if (query.get("list-type") !== "2")
    throw new ObjectError(501, "NotImplemented", "Only version 2 of the list operation is supported: set list-type=2");
  const prefix = query.get("prefix") ?? "";
  const delimiter = query.get("delimiter") ?? "";
  const token = query.get("continuation-token");
  const marker = token === null ? (query.get("start-after") ?? "") : Buffer.from(token, "base64url").toString();
  const limit = limitOf(query.get("max-keys"));
  const encode = encoderOf(query.get("encoding-type"));
  const { entries, next } = listing(world, bucket, { marker, delimiter, prefix, limit });
  const owner = query.get("fetch-owner") === "true" ? [ownerXml(turnedOn(world).owner)] : [];
  return xml("ListBucketResult", [
    element("Name", bucket.label),
    element("Prefix", encode(prefix)),
    ...(delimiter ? [element("Delimiter", encode(delimiter))] : []),
    ...(query.has("encoding-type") ? [element("EncodingType", "url")] : []),
    element("KeyCount", entries.length),
    element("MaxKeys", limit),
    element("IsTruncated", next !== null),
    ...(token === null ? [] : [element("ContinuationToken", token)]),
    ...(next === null ? [] : [element("NextContinuationToken", Buffer.from(next).toString("base64url"))]),
    ...entries.map((entry) =>
      "common" in entry
        ? element("CommonPrefixes", [element("Prefix", encode(entry.common))])
        : element("Contents", [
            element("Key", encode(entry.name)),
            element("LastModified", zoned(entry.last_modified)),
            element("ETag", `"${entry.etag}"`),
            element("Size", entry.size),
            ...owner,
            element("StorageClass", "STANDARD"),
          ]),
    ),
  ]);
}

function limitOf(parameter: string | null): number {
  if (parameter === null) return MAX_KEYS;
  if (!/^\d{1,9}$/.test(parameter)) throw new ObjectError(400, "InvalidArgument", "max-keys must be a whole number");
  return Math.min(Number(parameter), MAX_KEYS);
}

function encoderOf(parameter: string | null): (text: string) => string {
  if (parameter === null) return (text) => text;
  if (parameter !== "url") throw new ObjectError(400, "InvalidArgument", "encoding-type must be url");
  return (text) => text.split("/").map(encodeURIComponent).join("/");
}

/** A time in S3's format, with milliseconds and a time zone. */
const zoned = (time: string): string => `${time}.000Z`;
