import { type Acl, FORCE_LIMIT, type ObjectStorageBucket } from "../../../api";
import { ErrorResponse, notFound, Reasons } from "../../core/error-response";
import { table } from "../../core/store";
import type { World } from "../../core/world";
import { type AreaModule, listed } from "../../http/handlers";
import { turnedOn } from "./object-account";
import { dropObjects } from "./object-store";

export interface BucketRow extends Omit<ObjectStorageBucket, "hostname"> {
  /** Cluster and label of the bucket, such as `us-east-1/photos`. */
  id: string;
  acl: Acl;
  cors_enabled: boolean;
  /** The SSL certificate that a user has uploaded, and its key, in PEM format and encrypted. */
  certificate: { certificate: string; private_key: string } | null;
}

/**
 * A bucket of another account, whose name is therefore taken. Such rows exist only in snapshots of the emulator that a
 * user has prepared.
 */
export interface TakenBucketRow {
  /** Cluster and label of the bucket, such as `us-east-1/photos`. */
  id: string;
}

export const objectStorageBuckets: AreaModule<
  "objectStorageBuckets",
  { objectStorageBuckets: BucketRow; objectStorageTaken: TakenBucketRow }
> = {
  tables: {
    objectStorageBuckets: table<BucketRow>([], { refs: { cluster: "objectStorageClusters" } }),
    objectStorageTaken: table<TakenBucketRow>(),
  },
  handlers: {
    list: ({ world }) => listed(world.objectStorageBuckets, (row) => bucketRecord(world, row)),

    create({ world, body }) {
      const { cluster, label } = body;
      const problems = new Reasons();
      problems.addUnless(!isUnavailable(world, cluster, label), `Cluster ${cluster} is unavailable`, "cluster");
      problems.addUnless(
        !isTaken(world, cluster, label),
        `Another account has a bucket called ${label} in ${cluster}`,
        "label",
      );
      problems.throwIfAny();
      return bucketRecord(world, createBucket(world, body));
    },

    listInCluster({ world, path }) {
      const { id } = world.objectStorageClusters.get(path.clusterId);
      return listed(world.objectStorageBuckets.by("cluster", id), (row) => bucketRecord(world, row));
    },

    view: ({ world, path }) => bucketRecord(world, bucketOf(world, path)),

    delete({ world, path, query: { force } }) {
      const bucket = bucketOf(world, path);
      const { objects } = bucket;
      if (objects > 0 && !force)
        throw new ErrorResponse(400, `The bucket holds ${objects} objects; delete them first, or set force to true`);
      if (objects > FORCE_LIMIT)
        throw new ErrorResponse(
          400,
          `The bucket holds ${objects} objects; delete some first, because force deletes at most ${FORCE_LIMIT}`,
        );
      removeBucket(world, bucket);
      return {};
    },

    modifyAccess: ({ world, path, body }) => changeAccess(world, bucketOf(world, path), body),
    updateAccess: ({ world, path, body }) => changeAccess(world, bucketOf(world, path), body),
  },
};

export const findBucket = (world: World, cluster: string, label: string): Readonly<BucketRow> | undefined =>
  world.objectStorageBuckets.find(`${cluster}/${label}`);

/** The bucket with the given path parameters. Throws a 404 if it does not exist. */
export function bucketOf(world: World, path: { clusterId: string; bucket: string }): Readonly<BucketRow> {
  const found = findBucket(world, path.clusterId, path.bucket);
  if (!found) throw notFound();
  return found;
}

/** Whether another account has a bucket with the same name. */
export const isTaken = (world: World, cluster: string, label: string): boolean =>
  world.objectStorageTaken.find(`${cluster}/${label}`) !== undefined;

/** Whether a bucket does not exist and cannot be created, because its cluster is unavailable. */
export const isUnavailable = (world: World, cluster: string, label: string): boolean =>
  !findBucket(world, cluster, label) && world.objectStorageClusters.get(cluster).status !== "available";

/** The bucket with the given name. Creates it if it does not exist. */
export function createBucket(
  world: World,
  { cluster, label, acl, cors_enabled }: Pick<BucketRow, "cluster" | "label" | "acl" | "cors_enabled">,
): Readonly<BucketRow> {
  const existing = findBucket(world, cluster, label);
  if (existing) return existing;
  turnedOn(world);
  const fresh = { objects: 0, size: 0, certificate: null };
  return world.objectStorageBuckets.insert({ ...fresh, id: `${cluster}/${label}`, cluster, label, acl, cors_enabled });
}

/** Deletes a bucket with all its objects, and removes it from all access keys that are limited to certain buckets. */
export function removeBucket(world: World, bucket: Readonly<BucketRow>): void {
  const { cluster, label } = bucket;
  dropObjects(world, bucket);
  world.objectStorageBuckets.remove(bucket.id);
  for (const { id, bucket_access } of world.objectStorageKeys.by("limited", true)) {
    const remaining = bucket_access?.filter((one) => one.cluster !== cluster || one.bucket_name !== label);
    if (remaining?.length !== bucket_access?.length) world.objectStorageKeys.patch(id, { bucket_access: remaining });
  }
}

function changeAccess(
  world: World,
  { id }: Readonly<BucketRow>,
  { acl, cors_enabled }: { acl?: Acl | undefined; cors_enabled?: boolean | undefined },
): Record<string, never> {
  world.objectStorageBuckets.patch(id, { acl, cors_enabled });
  return {};
}

const bucketRecord = (world: World, row: Readonly<BucketRow>): ObjectStorageBucket => ({
  ...row,
  hostname: `${row.label}.${world.objectStorageClusters.get(row.cluster).domain}`,
});
