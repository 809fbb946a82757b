import type { Host } from "../engine/host";
import { withLocks } from "../engine/locks";

/** The areas of the objects that a `Tag` can be assigned to. */
export type TaggedArea = "instances" | "domains" | "nodeBalancers" | "volumes";

/** Runs a change of the tags of objects. The objects' own resources and several `Tag` resources can change them. */
export const lockTags = <T>(
  host: Host,
  objects: readonly (readonly [TaggedArea, number])[],
  work: () => Promise<T>,
): Promise<T> =>
  withLocks(
    host,
    objects.map(([area, id]) => `the tags of ${area} ${id}`),
    work,
  );

/** Runs an update of an object that may contain its tags. */
export const lockTagsIfChanged = <T>(
  host: Host,
  object: readonly [TaggedArea, number],
  { tags }: { tags?: unknown },
  work: () => Promise<T>,
): Promise<T> => (tags === undefined ? work() : lockTags(host, [object], work));

/**
 * Runs a change of the device slots of instances. Attaching a volume changes the slots of a boot config, and an update of
 * the config writes all of its slots.
 */
export const lockDevices = <T>(
  host: Host,
  computeIds: readonly (number | null | undefined)[],
  work: () => Promise<T>,
): Promise<T> =>
  withLocks(
    host,
    computeIds.flatMap((id) => (id == null ? [] : [`the devices of instance ${id}`])),
    work,
  );

/** Runs work that adds a private address to an instance unless it has one. */
export const lockAddresses = <T>(host: Host, computeId: number, work: () => Promise<T>): Promise<T> =>
  withLocks(host, [`the addresses of instance ${computeId}`], work);
