import type { lkeClusters, lkeNodes, lkePools } from "../../../../api";
import type { Plans, Stage } from "../plan";

const pool = { type: "g6-standard-1", count: 2 };
const rest = { autoscaler: { enabled: true, min: 1, max: 3 }, disks: [{ size: 1000, type: "ext4" as const }] };

/** A cluster that is up. */
async function cluster({ api, settle }: Stage): Promise<{ path: { clusterId: number } }> {
  const body = { label: "main", region: "us-east", k8s_version: "1.20", node_pools: [pool] };
  const { id } = await api.lkeClusters.create({ body });
  settle();
  return { path: { clusterId: id } };
}

export const clusterPlans = {
  list: () => ({}),
  create: () => ({
    body: {
      label: "main",
      region: "us-east",
      k8s_version: "1.20",
      tags: ["prod"],
      control_plane: { high_availability: true },
      node_pools: [{ ...pool, ...rest }],
    },
  }),
  view: cluster,
  update: async (stage) => ({
    ...(await cluster(stage)),
    body: { k8s_version: "1.21", tags: ["prod"], control_plane: { high_availability: true } },
  }),
  delete: cluster,
  recycle: cluster,
  apiEndpoints: cluster,
  viewKubeconfig: cluster,
  deleteKubeconfig: cluster,
} satisfies Plans<typeof lkeClusters>;

async function ofPool(stage: Stage): Promise<{ path: { clusterId: number; poolId: number }; nodes: string[] }> {
  const { path } = await cluster(stage);
  const { data } = await stage.api.lkePools.list({ path });
  const { id, nodes } = data[0] as (typeof data)[number];
  return { path: { ...path, poolId: id }, nodes: nodes.map((node) => node.id) };
}
const onePool = async (stage: Stage) => ({ path: (await ofPool(stage)).path });

/** A pool beside the first one, without which no cluster is. */
async function second(stage: Stage): Promise<{ path: { clusterId: number; poolId: number } }> {
  const { path } = await cluster(stage);
  const { id } = await stage.api.lkePools.create({ path, body: pool });
  stage.settle();
  return { path: { ...path, poolId: id } };
}

export const poolPlans = {
  list: cluster,
  create: async (stage) => ({ ...(await cluster(stage)), body: { ...pool, ...rest } }),
  view: onePool,
  update: async (stage) => ({ ...(await onePool(stage)), body: { count: 3 } }),
  delete: second,
  recycle: onePool,
} satisfies Plans<typeof lkePools>;

async function node(stage: Stage): Promise<{ path: { clusterId: number; nodeId: string } }> {
  const { path, nodes } = await ofPool(stage);
  return { path: { clusterId: path.clusterId, nodeId: nodes[0] as string } };
}

export const nodePlans = { view: node, delete: node, recycle: node } satisfies Plans<typeof lkeNodes>;
