import { z } from "zod";
import { camel, counted, Id, LkeCluster, lkeNodes, PartId, type Rule } from "../../api";
import { isInDoubt } from "../client/errors";
import { resource } from "../engine/definition";
import type { Host } from "../engine/host";
import { unreadyNodes } from "./lke-pools";
import { Triggers } from "./triggers";

const source = "part 2 · Endpoints · Kubernetes";

const inputs = z.strictObject({
  cluster_id: Id.describe(
    "Cluster whose nodes are recycled, which replaces them. All nodes of the cluster are recycled unless a pool or a node is set.",
  ),
  pool_id: PartId.optional().describe("Pool to recycle."),
  node_id: lkeNodes.recycle.params.nodeId.optional().describe("Node to recycle."),
  triggers: Triggers,
});

type Inputs = z.output<typeof inputs>;
type Api = Host["api"];

/** Rule that `pool` and `node` are not both set. */
const rules: Rule<Partial<Inputs>>[] = [
  {
    reads: ["pool_id", "node_id"],
    *check({ pool_id, node_id }) {
      if (pool_id && node_id) yield { field: "node_id", reason: `must be omitted if ${camel("pool_id")} is set` };
    },
    source,
  },
];

/** All nodes of the cluster, and the nodes to be recycled. */
async function nodesIn(api: Api, clusterId: number, { pool_id, node_id }: Partial<Inputs>) {
  const pools = await Array.fromAsync(api.lkePools.list.all({ path: { clusterId } }));
  const meant = pools.filter(({ id }) => pool_id === undefined || id === pool_id).flatMap(({ nodes }) => nodes);
  return { all: pools.flatMap(({ nodes }) => nodes), meant: meant.filter(({ id }) => !node_id || id === node_id) };
}

function start(api: Api, clusterId: number, { pool_id: poolId, node_id: nodeId }: Inputs): Promise<unknown> {
  if (nodeId) return api.lkeNodes.recycle({ path: { clusterId, nodeId } });
  if (poolId) return api.lkePools.recycle({ path: { clusterId, poolId } });
  return api.lkeClusters.recycle({ path: { clusterId } });
}

const willBe = (count: number, label: string): string =>
  `${counted(count, "node")} of ${label} will be recycled, one after the other`;

export const lkeNodeRecycle = resource({
  name: "LkeNodeRecycle",
  summary:
    "Replaces nodes of a Kubernetes cluster one by one, once and again whenever `triggers` change, for example after an upgrade. The data in their local storage are deleted. Deleting the resource has no effect on the cluster.",
  elsewhere: { note: "Replaces nodes one by one." },
  inputs,
  outputs: z.object({
    label: LkeCluster.shape.label.describe("Label of the cluster."),
    count: z.int().describe("Number of nodes to recycle."),
    recycling: z.array(z.string()).describe("Nodes that are not replaced yet. Empty when the recycling is complete."),
    waiting_for: z.string().optional().meta({ volatile: true }),
  }),
  identity: {
    area: "lkeClusters",
    parents: { cluster_id: "clusterId" },
    async extend({ api, path: { clusterId }, want, state }, { label }) {
      const { all, meant } = await nodesIn(api, clusterId, want);
      const recycling = state.recycling?.filter((id) => all.some((node) => node.id === id)) ?? [];
      const left = recycling.length ? `${counted(recycling.length, "node")} still to be recycled` : undefined;
      // Recycling starts when all nodes are ready. Otherwise, an earlier recycling could replace a node after the request
      // of this one was lost, which would look as if the service had carried it out.
      return { label, count: meant.length, recycling, waiting_for: left ?? unreadyNodes(all) };
    },
    lostCreate: "repeat",
  },
  inventory: "none",
  fields: {
    cluster_id: "replace",
    pool_id: { change: "replace", replaceReason: "other nodes are recycled" },
    node_id: { change: "replace", replaceReason: "other nodes are recycled" },
    triggers: {
      change: "run",
      by: ["lkeClusters.recycle", "lkePools.recycle", "lkeNodes.recycle"],
      note: "the nodes are recycled again",
    },
  },
  steps: {
    run: {
      afterCreate: true,
      preview: ({ state: { count = 0, label = "the cluster" } }) => willBe(count, label),
      async run({ api, path: { clusterId }, want, setState }) {
        const ids = (await nodesIn(api, clusterId, want)).meant.map(({ id }) => id);
        if (!ids.length)
          throw new Error(`Cluster ${clusterId} does not have a ${target(want)}, so nothing can be recycled`);
        try {
          await start(api, clusterId, want);
        } catch (error) {
          const left = new Set((await nodesIn(api, clusterId, want)).all.map(({ id }) => id));
          // The request was not carried out if no node has been deleted yet.
          if (!isInDoubt(error) || ids.every((id) => left.has(id))) throw error;
        }
        // If the update fails after this line, the next update does not send the request again, which would recycle the
        // new nodes, but only waits until the old nodes are replaced.
        setState({ triggers: want.triggers, recycling: ids });
      },
    },
  },
  checks: {
    rules,
    onCreate: [
      {
        warns: "about the nodes that it replaces",
        async check({ cluster_id: clusterId, ...want }, { api, reads }) {
          const cluster = clusterId ? await reads.view("lkeClusters", { clusterId }) : undefined;
          if (!cluster || !clusterId) return "the nodes of the cluster will be recycled, one after the other";
          return willBe((await nodesIn(api, clusterId, want)).meant.length, cluster.label);
        },
      },
    ],
  },
  readiness: { pending: ({ waiting_for }) => waiting_for },
  // No object is created. Afterwards, `steps.run` carries out the action.
  create: async ({ want: { cluster_id: clusterId } }) => ({ clusterId }),
  delete: { run: "none" },
  timeouts: { create: 3600, update: 3600 },
});

const target = ({ pool_id, node_id }: Inputs): string =>
  node_id ? `node ${node_id}` : pool_id ? `node in pool ${pool_id}` : "node";
