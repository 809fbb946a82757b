import { Id, LkePool, LkePoolCreate, poolCreateRules } from "../../api";
import { resource } from "../engine/resource";
import { remainingInstances, unreadyNodes } from "./lke-pools";

export const lkeNodePool = resource({
  kind: "LkeNodePool",
  summary: "Nodes of one type in a Kubernetes cluster, beside the pools that the cluster itself states.",
  source: "part 2 · Endpoints · Kubernetes",
  area: "lkePools",
  inputs: LkePoolCreate.extend({ cluster_id: Id.describe("Cluster that the pool belongs to.") }),
  outputs: LkePool,
  parent: { cluster_id: "clusterId" },
  // The service changes nothing of a pool but its number of nodes.
  changes: {
    cluster_id: "replace",
    type: "replace",
    autoscaler: "replace",
    disks: "replace",
    tags: "replace",
    count: "scale",
  },
  steps: {
    scale: {
      settles: true,
      run: ({ api, path, want: { count } }) => api.lkePools.update({ path, body: { count } }),
    },
  },
  // The bounds of an autoscaler that is off follow the count, so a program that does not set them must not freeze them.
  observe: { autoscaler: ({ autoscaler }, want) => (want.autoscaler || autoscaler.enabled ? autoscaler : undefined) },
  compare: { count: (count, { autoscaler }) => (autoscaler?.enabled ? "autoscaled" : count) },
  rules: poolCreateRules,
  called: ({ type, count }) => (type && count ? `pool of ${count} ${type} nodes` : undefined),
  key: ["cluster_id", "type", "count", "tags"],
  timeouts: { create: 900, update: 900, delete: 900 },
  pending: ({ nodes }) => unreadyNodes(nodes),
  async create({ api, want: { cluster_id: clusterId, ...body } }) {
    const { id } = await api.lkePools.create({ path: { clusterId }, body });
    return { clusterId, poolId: id };
  },
  remains: ({ host, seen }) =>
    remainingInstances(
      host,
      seen.nodes.map(({ instance_id }) => instance_id),
    ),
});
