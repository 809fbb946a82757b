import type { nodeBalancerConfigs, nodeBalancerNodes, nodeBalancers } from "../../../../api";
import { backend } from "../../load-balancers/balancer";
import { certificate } from "../../load-balancers/certificate";
import type { Account, Plans } from "../plan";

interface InBalancer {
  path: { nodeBalancerId: number };
}
interface InConfig {
  path: { nodeBalancerId: number; configId: number };
}
interface InNode {
  path: { nodeBalancerId: number; configId: number; nodeId: number };
}

const check = {
  check: "http_body" as const,
  check_attempts: 3,
  check_timeout: 5,
  check_interval: 10,
  check_path: "/health",
  check_body: "ok",
  check_passive: true,
};
const config = {
  port: 80,
  protocol: "http" as const,
  algorithm: "roundrobin" as const,
  stickiness: "table" as const,
  ...check,
};

/** A certificate and its key, which are the same for each call, so that the accounts of two tests can be compared. */
const pair = certificate("example.org");

/** A backend as an entry of `nodes` in a request that creates a config. */
async function node(account: Account) {
  const { ip } = await backend(account);
  return { address: `${ip}:80`, label: "web-1", mode: "accept" as const, weight: 50 };
}

async function balancer({ api }: Account): Promise<InBalancer> {
  const { id } = await api.nodeBalancers.create({ body: { region: "eu-central" } });
  return { path: { nodeBalancerId: id } };
}

export const plans = {
  list: () => ({}),
  create: async (account) => ({
    body: {
      region: "eu-central",
      label: "front",
      client_conn_throttle: 5,
      configs: [{ ...config, nodes: [await node(account)] }],
    },
  }),
  view: balancer,
  update: async (account) => ({ ...(await balancer(account)), body: { label: "edge", client_conn_throttle: 0 } }),
  delete: balancer,
  stats: async (account) => {
    const { path } = await balancer(account);
    account.advance(3600 * 1000);
    return { path };
  },
} satisfies Plans<typeof nodeBalancers>;

async function inConfig(account: Account): Promise<InConfig> {
  const { path } = await balancer(account);
  const { id } = await account.api.nodeBalancerConfigs.create({ path, body: config });
  return { path: { ...path, configId: id } };
}

export const configPlans = {
  list: balancer,
  create: async (account) => ({
    ...(await balancer(account)),
    body: { ...config, port: 443, protocol: "https", ...(await pair) },
  }),
  view: inConfig,
  update: async (account) => ({ ...(await inConfig(account)), body: { ...config, port: 8080 } }),
  delete: inConfig,
  rebuild: async (account) => ({ ...(await inConfig(account)), body: { ...config, nodes: [await node(account)] } }),
} satisfies Plans<typeof nodeBalancerConfigs>;

async function inNode(account: Account): Promise<InNode> {
  const { path } = await inConfig(account);
  const { id } = await account.api.nodeBalancerNodes.create({ path, body: await node(account) });
  return { path: { ...path, nodeId: id } };
}

export const nodePlans = {
  list: inConfig,
  create: async (account) => ({ ...(await inConfig(account)), body: await node(account) }),
  view: inNode,
  update: async (account) => ({ ...(await inNode(account)), body: { label: "web-2", mode: "drain", weight: 1 } }),
  delete: inNode,
} satisfies Plans<typeof nodeBalancerNodes>;
