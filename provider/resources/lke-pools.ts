import { type LkeNode, type LkePool, LkePoolCreate } from "../../api";
import { covers, type Host, isRead } from "../engine";

/** Pools under the program's own names. */
export type Pools = Record<string, LkePoolCreate>;
export type PoolIds = Record<string, number>;

/** `1 node`, `3 nodes`. */
export const counted = (nodes: number): string => `${nodes} ${nodes === 1 ? "node" : "nodes"}`;

/** What the nodes still lack, e.g. `2 of 3 nodes ready`; undefined when all are ready. */
export function unreadyNodes(nodes: readonly LkeNode[]): string | undefined {
  const ready = nodes.filter(({ status }) => status === "ready").length;
  return ready < nodes.length ? `${ready} of ${counted(nodes.length)} ready` : undefined;
}

/** Which of the nodes' instances have not gone yet; undefined when all have. */
export async function remainingInstances(host: Host, ids: readonly number[]): Promise<string | undefined> {
  const views = ids.map((computeId) => host.reads.view("instances", { computeId }, { age: "now" }));
  const left = (await Promise.all(views)).filter((instance) => instance !== undefined);
  return left.length ? `${left.length} of ${counted(ids.length)} still there` : undefined;
}

/** Which pool belongs to which name. Only a new cluster's pools are told by their content: all of them are its own. */
export function ownPools(rows: readonly LkePool[], stated: Pools, known: PoolIds | undefined): PoolIds {
  if (known) return Object.fromEntries(Object.entries(known).filter(([, id]) => rows.some((row) => row.id === id)));
  const free = new Set(rows);
  const ids: PoolIds = {};
  for (const [name, pool] of Object.entries(stated)) {
    const row = [...free].find((candidate) => means(candidate, pool));
    if (!row) continue;
    free.delete(row);
    ids[name] = row.id;
  }
  return ids;
}

/** Says which pools the cluster does not manage; those of the stack's `LkeNodePool` resources are left out as far as they are read. */
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
        `LkeCluster "${label}" (${clusterId}): pool ${id} (${count} × ${type}) is not in its pools, so it is not managed here`,
    );

/** The pools as a program would declare them. */
export const asDeclared = (rows: readonly LkePool[], ids: PoolIds): Pools =>
  Object.fromEntries(
    Object.entries(ids).flatMap(([name, id]) => {
      const row = rows.find((candidate) => candidate.id === id);
      if (!row) return [];
      const { type, count, autoscaler, disks, tags } = row;
      return [[name, { type, count, autoscaler, disks, tags }]];
    }),
  );

/** An autoscaled pool's number of nodes is where it starts; that it moves is no difference. */
export const withoutAutoscaledCounts = (pools: Pools, { pools: stated = {} }: { pools?: Pools }): unknown =>
  Object.fromEntries(
    Object.entries(pools).map(([name, pool]) => [
      name,
      stated[name]?.autoscaler?.enabled ? { ...pool, count: 0 } : pool,
    ]),
  );

/** Whether a pool is as stated. */
export const means = (seen: LkePoolCreate, wanted: LkePoolCreate): boolean =>
  covers(LkePoolCreate, wanted.autoscaler?.enabled ? { ...seen, count: wanted.count } : seen, wanted);

/** Whether only the number of nodes differs, the one thing of a pool that the service changes in place. */
export const onlyCountDiffers = (seen: LkePoolCreate, wanted: LkePoolCreate): boolean =>
  means({ ...seen, count: wanted.count }, wanted);

/** What a change of the pools does to nodes, a phrase for each pool. */
export function poolChanges(was: Pools, want: Pools): string[] {
  const removed = Object.entries(was).filter(([name]) => !want[name]);
  const changed = Object.entries(want).flatMap(([name, pool]) => {
    const before = was[name];
    if (!before || means(before, pool)) return [];
    if (!onlyCountDiffers(before, pool))
      return [
        `pool ${name} is replaced, ${counted(before.count)} by ${pool.count} new ${pool.count === 1 ? "one" : "ones"}`,
      ];
    return [`pool ${name} goes from ${before.count} to ${counted(pool.count)}`];
  });
  return [...removed.map(([name, { count }]) => `pool ${name} is deleted with its ${counted(count)}`), ...changed];
}
