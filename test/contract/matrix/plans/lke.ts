import type { lkeClusters, lkeNodes, lkePools } from "../../../../api";
import type { Account, Plans } from "../plan";

const pool = { type: "g6-standard-1", count: 2 };
const rest = { autoscaler: { enabled: true, min: 1, max: 3 }, disks: [{ size: 1000, type: "ext4" as const }] };

/** Creates a cluster and waits until its API server is reachable. */
async function cluster({ api, settle }: Account): Promise<{ path: { clusterId: number } }> {
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
  update: async (account) => ({
    ...(await cluster(account)),
    body: { k8s_version: "1.21", tags: ["prod"], control_plane: { high_availability: true } },
  }),
  delete: cluster,
  recycle: cluster,
  apiEndpoints: cluster,
  viewKubeconfig: cluster,
  deleteKubeconfig: cluster,
} satisfies Plans<typeof lkeClusters>;

async function ofPool(account: Account): Promise<{ path: { clusterId: number; poolId: number }; nodes: string[] }> {
  const { path } = await cluster(account);
  const { data } = await account.api.lkePools.list({ path });
  const { id, nodes } = data[0] as (typeof data)[number];
  return { path: { ...path, poolId: id }, nodes: nodes.map((node) => node.id) };
}
const onePool = async (account: Account) => ({ path: (await ofPool(account)).path });

/** Adds a second pool, because the last pool of a cluster cannot be deleted. */
async function second(account: Account): Promise<{ path: { clusterId: number; poolId: number } }> {
  const { path } = await cluster(account);
  const { id } = await account.api.lkePools.create({ path, body: pool });
  account.settle();
  return { path: { ...path, poolId: id } };
}

export const poolPlans = {
  list: cluster,
  create: async (account) => ({ ...(await cluster(account)), body: { ...pool, ...rest } }),
  view: onePool,
  update: async (account) => ({ ...(await onePool(account)), body: { count: 3 } }),
  delete: second,
  recycle: onePool,
} satisfies Plans<typeof lkePools>;

async function node(account: Account): Promise<{ path: { clusterId: number; nodeId: string } }> {
  const { path, nodes } = await ofPool(account);
  return { path: { clusterId: path.clusterId, nodeId: nodes[0] as string } };
}

export const nodePlans = { view: node, delete: node, recycle: node } satisfies Plans<typeof lkeNodes>;
