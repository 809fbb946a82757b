import { type LkePool, type LkePoolCreate, poolCreateRules } from "../../../api";
import { notFound, Reasons } from "../../core/error-response";
import { table } from "../../core/store";
import type { World } from "../../core/world";
import { allowedTags } from "../../http/account-checks";
import { type AreaModule, listed } from "../../http/handlers";
import { addNodes, nodesOf, recycleNodes, removeNodes } from "./lke-nodes";

/** A stored pool. The number of nodes and omitted autoscaler bounds are computed when the pool is read. */
export interface LkePoolRow extends Omit<LkePool, "autoscaler" | "count" | "nodes"> {
  cluster_id: number;
  autoscaler: { enabled: boolean; max: number | null; min: number | null };
}

export const lkePools: AreaModule<"lkePools", { lkePools: LkePoolRow }> = {
  tables: { lkePools: table<LkePoolRow>([], { refs: { cluster_id: "lkeClusters", type: "types" } }) },
  rules: { create: poolCreateRules },
  handlers: {
    list({ world, path }) {
      const cluster = world.lkeClusters.get(path.clusterId);
      return listed(world.lkePools.by("cluster_id", cluster.id), (row) => poolRecord(world, row));
    },

    create({ world, caller, path, body }) {
      const cluster = world.lkeClusters.get(path.clusterId);
      const problems = new Reasons();
      allowedTags(caller, body.tags, []);
      requirePool(world, problems, body);
      problems.throwIfAny();
      return poolRecord(world, addPool(world, cluster.id, body));
    },

    view: ({ world, path }) => poolRecord(world, poolOf(world, path)),

    update({ world, path, body: { count } }) {
      const pool = poolOf(world, path);
      const nodes = nodesOf(world, pool.id);
      if (count !== undefined) {
        const problems = new Reasons();
        requireWithin(problems, pool.autoscaler, count);
        problems.throwIfAny();
        removeNodes(world, nodes.slice(count).toReversed());
        addNodes(world, pool, Math.max(0, count - nodes.length));
      }
      return poolRecord(world, pool);
    },

    delete({ world, path }) {
      const { id } = poolOf(world, path);
      removeNodes(world, nodesOf(world, id));
      world.lkePools.remove(id);
      return {};
    },

    recycle({ world, path }) {
      recycleNodes(world, nodesOf(world, poolOf(world, path).id));
      return {};
    },
  },
};

/**
 * Checks the disks of a pool against the disk size of its instance type, and its number of nodes against its
 * autoscaler. The schemas in `api/` cannot check the disks, because they do not contain the instance types.
 */
export function requirePool(world: World, problems: Reasons, pool: LkePoolCreate, prefix = ""): void {
  if (pool.autoscaler) requireWithin(problems, pool.autoscaler, pool.count, prefix);
  const { disk } = world.types.get(pool.type);
  const sum = (pool.disks ?? []).reduce((total, { size }) => total + size, 0);
  problems.addUnless(
    sum < disk,
    `Must have less than ${disk} MB in total, the disk size of ${pool.type}, to leave room for the boot disk; they have ${sum} MB`,
    `${prefix}disks`,
  );
}

/** Adds a pool. Its nodes become ready after `ahead` other nodes that are still starting. */
export function addPool(world: World, cluster: number, pool: LkePoolCreate, ahead = 0): Readonly<LkePoolRow> {
  const { type, count, disks = [], tags = [], autoscaler: { enabled = false, max = null, min = null } = {} } = pool;
  const row = world.lkePools.insert({ cluster_id: cluster, type, disks, tags, autoscaler: { enabled, max, min } });
  addNodes(world, row, count, ahead);
  return row;
}

/**
 * The pool as the API returns it. Omitted autoscaler bounds equal the number of nodes (API documentation, part 2 ·
 * Endpoints · Kubernetes · rule 4).
 */
function poolRecord(world: World, { autoscaler, ...pool }: Readonly<LkePoolRow>): LkePool {
  const nodes = nodesOf(world, pool.id).map(({ id, instance_id, status }) => ({ id, instance_id, status }));
  const count = nodes.length;
  const { enabled, max, min } = autoscaler;
  return { ...pool, count, autoscaler: { enabled, max: max ?? count, min: min ?? count }, nodes };
}

/**
 * Rejects a node count outside the autoscaler's bounds, because the autoscaler would change it back. The API
 * documentation does not cover this case.
 */
function requireWithin(
  problems: Reasons,
  { enabled, max, min }: { enabled: boolean; max?: number | null | undefined; min?: number | null | undefined },
  count: number,
  prefix = "",
): void {
  if (enabled && max != null && min != null && (count < min || count > max))
    problems.add(`Must be ${min} to ${max}, the bounds of the autoscaler`, `${prefix}count`);
}

function poolOf(world: World, { clusterId, poolId }: { clusterId: number; poolId: number }): Readonly<LkePoolRow> {
  const { id } = world.lkeClusters.get(clusterId);
  const pool = world.lkePools.get(poolId);
  if (pool.cluster_id !== id) throw notFound();
  return pool;
}
