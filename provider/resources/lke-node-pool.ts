import { Id, LkePool, LkePoolCreate, poolCreateRules } from "../../api";
import { resource } from "../engine/definition";
import { remainingInstances, unreadyNodes } from "./lke-pools";

export const lkeNodePool = resource({
  name: "LkeNodePool",
  summary:
    "Manages a node pool of a Kubernetes cluster, in addition to the pools in the `pools` input of the cluster. Changing the default tags of the stack replaces the pool.",
  elsewhere: { terraform: "linode_lke_node_pool", pulumi: "LkeNodePool" },
  inputs: LkePoolCreate.extend({ cluster_id: Id.describe("Cluster that the pool belongs to.") }),
  outputs: LkePool,
  identity: {
    area: "lkePools",
    parents: { cluster_id: "clusterId" },
    displayName: ({ type, count }) => (type && count ? `pool of ${count} ${type} nodes` : undefined),
    lostCreate: { match: ["cluster_id", "type", "count", "tags", "autoscaler", "disks"] },
  },
  inventory: {
    file: "kubernetes",
    list: "operation",
    title: ({ type }) => type,
    creates: { area: "instances", ids: ({ nodes }) => nodes?.map(({ instance_id }) => instance_id) ?? [] },
  },
  // An API request can change only the number of nodes of a pool, so a change of any other input replaces the pool.
  fields: {
    cluster_id: "replace",
    type: "replace",
    autoscaler: {
      change: "replace",
      // The bounds of a disabled autoscaler equal the number of nodes, so they are compared only if the program
      // declares them.
      current: ({ autoscaler }, want) => (want.autoscaler || autoscaler?.enabled ? autoscaler : undefined),
    },
    disks: "replace",
    tags: "replace",
    count: {
      change: "scale",
      touches: ["autoscaler"],
      canonical: (count, { autoscaler }) => (autoscaler?.enabled ? "autoscaled" : count),
    },
  },
  steps: {
    scale: {
      awaitInputs: true,
      run: ({ api, path, want: { count } }) => api.lkePools.update({ path, body: { count } }),
    },
  },
  checks: { rules: poolCreateRules },
  readiness: { pending: ({ nodes }) => unreadyNodes(nodes ?? []) },
  async create({ api, want: { cluster_id: clusterId, ...body } }) {
    const { id } = await api.lkePools.create({ path: { clusterId }, body });
    return { clusterId, poolId: id };
  },
  delete: {
    pending: ({ host, observed: { nodes = [] } }) =>
      remainingInstances(
        host,
        nodes.map(({ instance_id }) => instance_id),
      ),
  },
  timeouts: { create: 900, update: 900, delete: 900 },
});
