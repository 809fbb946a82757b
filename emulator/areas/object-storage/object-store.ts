import { createHash } from "node:crypto";
import type { Acl } from "../../../api";
import { type RowOf, table } from "../../core/store";
import type { World } from "../../core/world";
import type { Part } from "../../http/handlers";

export interface ObjectRow {
  /** Cluster, bucket and name of the object, such as `us-east-1/photos/2022/cat.jpg`. */
  id: string;
  bucket_id: string;
  name: string;
  size: number;
  etag: string;
  content_type: string;
  last_modified: string;
  /** The object's own ACL; null if the bucket's ACL applies. */
  acl: Acl | null;
}

/** The content of an object in Base64, in a table of its own so that listing objects does not read it. */
export interface ContentRow {
  id: string;
  bytes: string;
}

export const objectStore: Part<{ objectStorageObjects: ObjectRow; objectStorageContents: ContentRow }> = {
  tables: {
    objectStorageObjects: table<ObjectRow>([], { refs: { bucket_id: "objectStorageBuckets" } }),
    objectStorageContents: table<ContentRow>([], { refs: { id: "objectStorageObjects" } }),
  },
};

type Bucket = RowOf<"objectStorageBuckets">;

export const objectIn = (world: World, bucket: Bucket, name: string): Readonly<ObjectRow> | undefined =>
  world.objectStorageObjects.find(idOf(bucket, name));

export const contentOf = (world: World, { id }: Readonly<ObjectRow>): Buffer =>
  Buffer.from(world.objectStorageContents.get(id).bytes, "base64");

/** Writes an object. An existing object with the same name is overwritten. */
export function writeObject(
  world: World,
  bucket: Bucket,
  { content, ...fields }: Pick<ObjectRow, "name" | "content_type" | "acl"> & { content: Uint8Array },
): Readonly<ObjectRow> {
  const before = objectIn(world, bucket, fields.name);
  const id = idOf(bucket, fields.name);
  const size = content.length;
  const etag = createHash("md5").update(content).digest("hex");
  const last_modified = world.clock.time();
  const row = world.objectStorageObjects.insert({ ...fields, id, bucket_id: bucket.id, size, etag, last_modified });
  world.objectStorageContents.insert({ id, bytes: Buffer.from(content).toString("base64") });
  count(world, bucket, { objects: before ? 0 : 1, size: size - (before?.size ?? 0) });
  return row;
}

export function removeObject(world: World, bucket: Bucket, { id, size }: Readonly<ObjectRow>): void {
  world.objectStorageObjects.remove(id);
  world.objectStorageContents.remove(id);
  count(world, bucket, { objects: -1, size: -size });
}

export function dropObjects(world: World, bucket: Bucket): void {
  for (const { id } of world.objectStorageObjects.by("bucket_id", bucket.id)) {
    world.objectStorageObjects.remove(id);
    world.objectStorageContents.remove(id);
  }
}

export interface Listing {
  /**
   * The objects of the page. Objects whose names have the same prefix up to the delimiter are replaced by one entry
   * with that `common` prefix, like files in a folder.
   */
  entries: readonly (Readonly<ObjectRow> | { common: string })[];
  /** The name of the last entry if there is another page, which then starts after this name. */
  next: string | null;
}

export interface ListingOptions {
  marker?: string | undefined;
  delimiter?: string | undefined;
  prefix?: string | undefined;
  limit: number;
}

/**
 * A page of a bucket's objects, ordered by name. The time for reading it depends on the size of the page, not of the
 * bucket.
 */
export function listing(
  world: World,
  bucket: Bucket,
  { marker = "", delimiter = "", prefix = "", limit }: ListingOptions,
): Listing {
  const names = namesOf(world, bucket);
  const common = (name: string): string | undefined => {
    const end = delimiter && name.startsWith(prefix) ? name.indexOf(delimiter, prefix.length) : -1;
    return end < 0 ? undefined : name.slice(0, end + delimiter.length);
  };
  const beyond = (name: string, begin: string): boolean => name > begin && !name.startsWith(begin);
  const listed = marker !== "" && common(marker) === marker;
  let at = first(names, 0, (name) => name >= prefix && (listed ? beyond(name, marker) : name > marker));
  const more = (): boolean => names[at]?.startsWith(prefix) ?? false;
  const entries: (Readonly<ObjectRow> | { common: string })[] = [];
  let last: string | null = null;
  while (entries.length < limit && more()) {
    const name = names[at] as string;
    const begin = common(name);
    last = begin ?? name;
    entries.push(begin === undefined ? world.objectStorageObjects.get(idOf(bucket, name)) : { common: begin });
    at = begin === undefined ? at + 1 : first(names, at, (other) => beyond(other, begin));
  }
  return { entries, next: more() ? last : null };
}

const idOf = (bucket: Bucket, name: string): string => `${bucket.id}/${name}`;

function count(world: World, { id }: Bucket, by: { objects: number; size: number }): void {
  const { objects, size } = world.objectStorageBuckets.get(id);
  world.objectStorageBuckets.patch(id, { objects: objects + by.objects, size: size + by.size });
}

/**
 * The sorted names of the objects in a bucket. Each write or removal of an object replaces the bucket's row, so a name
 * list that is cached by row is always current.
 */
const sorted = new WeakMap<Bucket, readonly string[]>();
function namesOf(world: World, bucket: Bucket): readonly string[] {
  const now = world.objectStorageBuckets.get(bucket.id);
  const cached = sorted.get(now);
  if (cached) return cached;
  const names = world.objectStorageObjects.by("bucket_id", now.id).map(({ name }) => name);
  sorted.set(now, names);
  return names;
}

/**
 * Finds the first index at or after `from` whose name fulfills the condition, by binary search. The condition must also
 * hold for all names after that one.
 */
function first(names: readonly string[], from: number, fits: (name: string) => boolean): number {
  let [low, high] = [from, names.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(names[middle] as string)) high = middle;
    else low = middle + 1;
  }
  return low;
}
