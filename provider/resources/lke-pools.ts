import { counted, type LkeNode, type LkePool, LkePoolCreate, ownProperty } from "../../api";
import { matchesDeclared } from "../engine/comparison";
import type { Host } from "../engine/host";
import { isRead } from "../engine/refreshed";

/** Node pools by the names that the program gives them. */
export type Pools = Record<string, LkePoolCreate>;
export type PoolIds = Record<string, number>;

/** How many nodes are ready, such as `2 of 3 nodes ready`. Undefined if all are. */
export function unreadyNodes(nodes: readonly LkeNode[]): string | undefined {
  const ready = nodes.filter(({ status }) => status === "ready").length;
  return ready < nodes.length ? `${ready} of ${counted(nodes.length, "node")} ready` : undefined;
}

/** How many of the nodes' instances still exist. Undefined if none do. */
export async function remainingInstances(host: Host, ids: readonly number[]): Promise<string | undefined> {
  const views = ids.map((computeId) => host.reads.view("instances", { computeId }, { age: "now" }));
  const left = (await Promise.all(views)).filter((instance) => instance !== undefined);
  return left.length ? `${left.length} of ${counted(ids.length, "node")} still exist` : undefined;
}

/**
 * The node pool for each declared name. Names are not part of the API, so the pools of a new cluster are recognized by
 * their contents. The number of nodes may differ, because the program can change before an interrupted create continues.
 * Of similar pools, one without an autoscaler belongs to a declaration without one, because it was created from it.
 */
export function ownPools(rows: readonly LkePool[], declared: Pools, known: PoolIds | undefined): PoolIds {
  if (known) return Object.fromEntries(Object.entries(known).filter(([, id]) => rows.some((row) => row.id === id)));
  const free = new Set(rows);
  const ids: PoolIds = {};
  for (const matches of [isCreatedFrom(hasInputs), isCreatedFrom(onlyCountDiffers), onlyCountDiffers])
    for (const [name, pool] of Object.entries(declared)) {
      const row = Object.hasOwn(ids, name) ? undefined : [...free].find((candidate) => matches(candidate, pool));
      if (!row) continue;
      free.delete(row);
      ids[name] = row.id;
    }
  return ids;
}

/**
 * Describes the pools of the cluster that this resource does not manage, one line per pool. Pools that the stack
 * manages as `LkeNodePool` are omitted.
 */
export const undeclaredPools = (
  host: Host,
  clusterId: number,
  label: string | undefined,
  rows: readonly LkePool[],
): string[] =>
  rows
    .filter(({ id: poolId }) => !isRead(host, { clusterId, poolId }))
    .map(
      ({ id, type, count }) =>
        `LkeCluster "${label}" (${clusterId}): pool ${id} (${count} × ${type}) is not in the input pools, so it is not managed by this resource`,
    );

/** Converts node pools to inputs as a program declares them. */
export const asDeclared = (rows: readonly LkePool[], ids: PoolIds): Pools =>
  Object.fromEntries(
    Object.entries(ids).flatMap(([name, id]) => {
      const row = rows.find((candidate) => candidate.id === id);
      if (!row) return [];
      const { type, count, autoscaler, disks, tags } = row;
      return [[name, { type, count, autoscaler, disks, tags }]];
    }),
  );

/**
 * Whether the autoscaler of a pool determines its number of nodes, so that the declared number is only the initial one.
 * If the program omits the autoscaler, the pool keeps the one that it has.
 */
const isAutoscaled = (declared: LkePoolCreate | undefined, observed: LkePoolCreate | undefined): boolean =>
  declared?.autoscaler?.enabled ?? observed?.autoscaler?.enabled ?? false;

/** Replaces the number of nodes of autoscaled pools by a constant, because it is not compared. */
export const withoutAutoscaledCounts = (
  pools: Pools,
  { pools: declared = {} }: { pools?: Pools },
  observed: Pools = {},
): unknown =>
  Object.fromEntries(
    Object.entries(pools).map(([name, pool]) => [
      name,
      isAutoscaled(ownProperty(declared, name), ownProperty(observed, name)) ? { ...pool, count: 0 } : pool,
    ]),
  );

/** Whether a node pool already has the declared inputs. The number of nodes of an autoscaled pool is not compared. */
export const hasInputs = (observed: LkePoolCreate, wanted: LkePoolCreate): boolean =>
  matchesDeclared(
    LkePoolCreate,
    isAutoscaled(wanted, observed) ? { ...observed, count: wanted.count } : observed,
    wanted,
  );

type Matches = (observed: LkePoolCreate, wanted: LkePoolCreate) => boolean;

/** Like `matches`, but an omitted autoscaler is a disabled one, as in a create request. */
const isCreatedFrom =
  (matches: Matches): Matches =>
  (observed, wanted) =>
    matches(observed, wanted) && (observed.autoscaler?.enabled ?? false) === (wanted.autoscaler?.enabled ?? false);

/**
 * Whether a node pool has all declared inputs except possibly the number of nodes, which is the only property that an
 * update can change.
 */
export const onlyCountDiffers = (observed: LkePoolCreate, wanted: LkePoolCreate): boolean =>
  hasInputs({ ...observed, count: wanted.count }, wanted);

/**
 * The name of a pool that a failed update has replaced by another one and not deleted, such as `main#884030` for `main`,
 * if it has the declared inputs: the program has taken the change back.
 */
export function restoredPool(pools: Pools, name: string, wanted: LkePoolCreate): string | undefined {
  const current = ownProperty(pools, name);
  if (current && hasInputs(current, wanted)) return undefined;
  return Object.entries(pools).find(([key, pool]) => key.startsWith(`${name}#`) && hasInputs(pool, wanted))?.[0];
}

/**
 * Describes what happens to pools that a failed update has left, if the state does not have their inputs: of two pools
 * with a name, the update keeps the one that has the declared inputs.
 */
export const leftPools = (olds: Pools, ids: PoolIds = {}): string[] =>
  Object.entries(ids).flatMap(([key, id]) => {
    const [name = "", replaced] = key.split("#");
    if (replaced === undefined || Object.hasOwn(olds, key)) return [];
    return `a failed update has left the pools ${id} and ${ownProperty(ids, name)} of ${name}: one without the declared inputs is deleted with its nodes`;
  });

/**
 * Describes how a change of the node pools affects nodes, one phrase per pool, in the order of the update: pools shrink
 * and are deleted last.
 */
export function poolChanges(olds: Pools, want: Pools): string[] {
  const restored = new Map(Object.entries(want).map(([name, pool]) => [name, restoredPool(olds, name, pool)]));
  const remaining = new Set<string | undefined>([...Object.keys(want), ...restored.values()]);
  const removed = Object.entries(olds).filter(([name]) => !remaining.has(name));
  const changed = Object.entries(want).flatMap(([name, pool]) => {
    const before = ownProperty(olds, name);
    if (!before || hasInputs(before, pool)) return [];
    if (restored.get(name))
      return {
        shrinks: true,
        text: `pool ${name} is again the one that a failed update was to replace: the new one is deleted with its ${counted(before.count, "node")}`,
      };
    if (!onlyCountDiffers(before, pool))
      return {
        shrinks: false,
        text: `pool ${name} is replaced: ${counted(before.count, "node")} by ${counted(pool.count, "new one")}`,
      };
    const text = `pool ${name} is resized from ${before.count} to ${counted(pool.count, "node")}`;
    return { shrinks: pool.count < before.count, text };
  });
  return [
    ...changed.filter(({ shrinks }) => !shrinks).map(({ text }) => text),
    ...changed.filter(({ shrinks }) => shrinks).map(({ text }) => text),
    ...removed.map(([name, { count }]) => `pool ${name} is deleted with its ${counted(count, "node")}`),
  ];
}
