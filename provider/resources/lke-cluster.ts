import { z } from "zod";
import {
  ControlPlane,
  Id,
  LkeCluster,
  LkeClusterCreate,
  LkePoolCreate,
  nextMinor,
  ownProperty,
  poolCreateRules,
  type Rule,
  withinEach,
} from "../../api";
import { resource } from "../engine/definition";
import { createObject } from "../engine/lost-create";
import { LkeAccess, readAccess } from "./lke-access";
import { lkeNodePool } from "./lke-node-pool";
import {
  asDeclared,
  hasInputs,
  leftPools,
  onlyCountDiffers,
  ownPools,
  poolChanges,
  remainingInstances,
  restoredPool,
  undeclaredPools,
  unreadyNodes,
  withoutAutoscaledCounts,
} from "./lke-pools";

const source = "part 2 · Endpoints · Kubernetes";

const Pools = z
  .record(z.string().min(1), LkePoolCreate)
  .describe(
    "Node pools by a name of your choice. Removing a name deletes the pool. Pools that are not declared here are never changed.",
  );

/** JavaScript objects cannot have this key. */
const poolNameRule: Rule<{ pools?: object | undefined }> = {
  reads: ["pools"],
  *check({ pools }) {
    if (pools && Object.hasOwn(pools, "__proto__"))
      yield { field: "pools", reason: 'must not contain the name "__proto__": choose another name for this pool' };
    const [marked] = Object.keys(pools ?? {}).filter((name) => name.includes("#"));
    if (marked !== undefined)
      yield {
        field: "pools",
        reason: `must not contain the name ${JSON.stringify(marked)}, because names with # mark pools that a failed update has left: choose another name for this pool`,
      };
  },
  source,
};

const Ids = z.array(z.int()).meta({ volatile: true });

export const lkeCluster = resource({
  name: "LkeCluster",
  summary: "Manages a Kubernetes cluster with its node pools. The cluster is ready when all nodes are ready.",
  elsewhere: {
    terraform: "linode_lke_cluster",
    pulumi: "LkeCluster",
    note: {
      terraform: "`pool` blocks are `pools`, a map with a name for each pool.",
      pulumi: "`pools` is a map here, with a name for each pool.",
    },
  },
  inputs: LkeClusterCreate.omit({ node_pools: true }).extend({
    pools: Pools,
    control_plane: ControlPlane.optional().describe("Settings of the control plane: whether it is highly available."),
  }),
  outputs: LkeCluster.extend({
    pools: Pools,
    pool_ids: z.record(z.string(), Id).describe("Id of each pool by name."),
    ...LkeAccess.shape,
    foreign_pool_ids: Ids,
    instance_ids: Ids,
    waiting_for: z.string().optional().meta({ volatile: true }),
  }),
  identity: {
    area: "lkeClusters",
    manages: ({ clusterId }, { pool_ids = {} }) => [
      { area: "lkeClusters", path: { clusterId } },
      ...Object.values(pool_ids).map((poolId) => ({ area: "lkePools" as const, path: { clusterId, poolId } })),
    ],
    autoname: "label",
    async extend({ api, host, path, want, state, age }, record) {
      const rows = await Array.fromAsync(api.lkePools.list.all({ path }));
      const ids = ownPools(rows, { ...want.pools, ...state.pools }, state.pool_ids);
      const foreign = rows.filter(({ id }) => !Object.values(ids).includes(id));
      const nodes = rows.flatMap((row) => row.nodes);
      const unready = unreadyNodes(nodes);
      const access = unready ? undefined : await readAccess(api, path, state);
      const { kubeconfig, endpoint, token, ca_certificate } = access ?? state;
      if (age === "recent")
        for (const line of undeclaredPools(host, path.clusterId, record.label, foreign)) host.progress(line);
      return {
        ...record,
        pools: asDeclared(rows, ids),
        // The state of an adopted cluster does not contain the ids of its pools yet. The first update recognizes the
        // declared pools by their contents.
        pool_ids: Object.keys(ids).length || state.pool_ids ? ids : undefined,
        kubeconfig,
        endpoint,
        token,
        ca_certificate,
        foreign_pool_ids: foreign.map(({ id }) => id),
        instance_ids: nodes.map(({ instance_id }) => instance_id),
        waiting_for: unready ?? (access ? undefined : "kubeconfig not available yet"),
      };
    },
    lostCreate: { match: ["label"] },
  },
  inventory: { file: "kubernetes", list: "operation", title: "label" },
  fields: {
    label: "edit",
    tags: "edit",
    control_plane: {
      change: "controlPlane",
      unsupported({ high_availability: now }, declared) {
        if (!now || declared.high_availability !== false) return undefined;
        const reason = "must stay true: high availability cannot be disabled";
        return { keeps: { ...declared, high_availability: true }, path: ["high_availability"], reason };
      },
    },
    k8s_version: {
      change: "upgrade",
      note: "the control plane is upgraded by one minor version at a time and cannot be downgraded; nodes keep their version until they are recycled",
      unsupported(current, declared) {
        const next = nextMinor(current);
        if (declared === current || declared === next) return undefined;
        const reason = `must be "${current}" (current) or "${next}": clusters are upgraded one minor version at a time and cannot be downgraded`;
        return { keeps: current, reason };
      },
    },
    pools: {
      change: "pools",
      by: ["lkePools.create", "lkePools.update", "lkePools.delete"],
      touches: ["pool_ids"],
      note: "only the number of nodes of a pool changes in place; any other change creates a new pool before it deletes the old one; nodes are deleted only when all new ones are ready",
      canonical: withoutAutoscaledCounts,
    },
    region: "replace",
  },
  steps: {
    edit: { run: ({ api, path, changed }) => api.lkeClusters.update({ path, body: changed }) },
    controlPlane: {
      preview: ({ want, state }) =>
        want.control_plane?.high_availability && !state.control_plane?.high_availability
          ? "high availability is enabled, which cannot be undone: it stays until the cluster is deleted"
          : undefined,
      run: ({ api, path, want: { control_plane } }) => api.lkeClusters.update({ path, body: { control_plane } }),
    },
    upgrade: {
      awaitInputs: true,
      run: ({ api, path, want: { k8s_version } }) => api.lkeClusters.update({ path, body: { k8s_version } }),
      preview: ({ want, state }) =>
        `the control plane is upgraded from ${state.k8s_version} to ${want.k8s_version}; each node is upgraded when it is recycled`,
    },
    pools: {
      // A failed update has left pools that it was to delete.
      when: ({ pool_ids = {} }) => Object.keys(pool_ids).some((name) => name.includes("#")),
      preview({ want, state: { pools = {}, pool_ids } }) {
        return [...poolChanges(pools, want.pools), ...leftPools(pools, pool_ids)].join("; ") || undefined;
      },
      async run({ api, host, path, want: { pools }, declared, observed, setState, waitUntilReady }) {
        const ids = { ...observed.pool_ids };
        const shrinking: (() => Promise<unknown>)[] = [];
        let hasAdded = false;
        for (const [name, pool] of Object.entries(pools)) {
          const now = ownProperty(observed.pools ?? {}, name);
          const poolId = ownProperty(ids, name);
          if (now && poolId && hasInputs(now, pool)) continue;
          const restored = restoredPool(observed.pools ?? {}, name, pool);
          if (restored !== undefined) {
            const id = Number(ids[restored]);
            delete ids[restored];
            if (poolId) ids[`${name}#${poolId}`] = poolId;
            ids[name] = id;
            setState({ pool_ids: { ...ids } });
            continue;
          }
          if (now && poolId && onlyCountDiffers(now, pool)) {
            const resize = () => api.lkePools.update({ path: { ...path, poolId }, body: { count: pool.count } });
            if (pool.count < now.count) {
              shrinking.push(resize);
              continue;
            }
            await resize();
            hasAdded = true;
            continue;
          }
          // A new pool has the declared number of nodes, as the preview shows.
          const inputs = ownProperty(declared.pools, name) ?? pool;
          const created = await createObject(lkeNodePool, host, { cluster_id: path.clusterId, ...inputs });
          // State keeps the id of the old pool until it is deleted, so that a failed update does not leave an unmanaged
          // pool.
          if (poolId) ids[`${name}#${poolId}`] = poolId;
          ids[name] = Number(created.poolId);
          setState({ pool_ids: { ...ids } });
          hasAdded = true;
        }
        const superfluous = Object.entries(ids).filter(([name]) => !Object.hasOwn(pools, name));
        // Nodes are deleted only when the new ones are ready, so that the cluster never lacks capacity.
        if (hasAdded && shrinking.length + superfluous.length) await waitUntilReady();
        for (const resize of shrinking) await resize();
        for (const [, poolId] of superfluous) await api.lkePools.delete({ path: { ...path, poolId } });
      },
    },
  },
  checks: {
    rules: [...withinEach("pools", poolCreateRules), poolNameRule],
  },
  readiness: { pending: ({ waiting_for }) => waiting_for },
  async create({ api, want: { pools, ...body } }) {
    const { id } = await api.lkeClusters.create({ body: { ...body, node_pools: Object.values(pools) } });
    return { clusterId: id };
  },
  delete: {
    async run({ api, path, observe }) {
      const { foreign_pool_ids: foreign = [] } = (await observe()) ?? {};
      if (foreign.length) {
        const which = foreign.length === 1 ? `the pool ${foreign[0]}, which` : `the pools ${foreign.join(", ")}, which`;
        throw new Error(
          `LkeCluster ${path.clusterId} has ${which} this program does not manage. Delete unmanaged pools first, because deleting the cluster would also delete them`,
        );
      }
      await api.lkeClusters.delete({ path });
    },
    pending: ({ host, observed }) => remainingInstances(host, observed.instance_ids ?? []),
  },
  timeouts: { create: 1200, update: 1200, delete: 1200 },
});
