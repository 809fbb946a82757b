import type { Cloud } from "../cloud";

/** The full name of a rule in the section "Kubernetes" of the API documentation. */
export const rule = (number: number): string => `part 2 · Endpoints · Kubernetes · rule ${number}`;

export interface Pool {
  id: number;
  count: number;
  autoscaler: object;
  nodes: { id: string; instance_id: number; status: string }[];
}

export const create = ({ send }: Cloud, body: object = {}, token?: string) =>
  send("POST /lke/clusters", {
    body: { label: "main", region: "us-east", k8s_version: "1.20", node_pools: [], ...body },
    ...(token && { token }),
  });

/** Creates a cluster with its pools, and waits until the API server is reachable. */
export async function cluster(
  one: Cloud,
  pools: object[] = [{ type: "g6-standard-1", count: 2 }],
  body: object = {},
): Promise<{ id: number; path: `/lke/clusters/${number}`; pools: () => Promise<Pool[]> }> {
  const created = await create(one, { node_pools: pools, ...body });
  if (created.status !== 200) throw new Error(JSON.stringify(created.body));
  one.settle();
  const path = `/lke/clusters/${created.body.id as number}` as const;
  return { id: created.body.id, path, pools: async () => (await one.send(`GET ${path}/pools`)).body.data };
}

/** The status of each node, oldest first, such as `["ready", "not_ready"]`. */
export const statuses = (pools: Pool[]): string[] => pools.flatMap(({ nodes }) => nodes.map(({ status }) => status));

export const nodeIds = (pools: Pool[]): string[] => pools.flatMap(({ nodes }) => nodes.map(({ id }) => id));
