import type { nodeBalancerConfigs, nodeBalancerNodes, nodeBalancers } from "../../../../api";
import { backend } from "../../balancer";
import { certificate } from "../../certificate";
import type { Plans, Stage } from "../plan";

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

/** The same at each call, so that two accounts can be compared. */
const pair = certificate("example.org");

/** A backend as a config's nodes name it. */
async function node(stage: Stage) {
  const { ip } = await backend(stage);
  return { address: `${ip}:80`, label: "web-1", mode: "accept" as const, weight: 50 };
}

async function balancer({ api }: Stage): Promise<InBalancer> {
  const { id } = await api.nodeBalancers.create({ body: { region: "eu-central" } });
  return { path: { nodeBalancerId: id } };
}

export const plans = {
  list: () => ({}),
  create: async (stage) => ({
    body: {
      region: "eu-central",
      label: "front",
      client_conn_throttle: 5,
      configs: [{ ...config, nodes: [await node(stage)] }],
    },
  }),
  view: balancer,
  update: async (stage) => ({ ...(await balancer(stage)), body: { label: "edge", client_conn_throttle: 0 } }),
  delete: balancer,
  stats: async (stage) => {
    const { path } = await balancer(stage);
    stage.advance(3600 * 1000);
    return { path };
  },
} satisfies Plans<typeof nodeBalancers>;

async function inConfig(stage: Stage): Promise<InConfig> {
  const { path } = await balancer(stage);
  const { id } = await stage.api.nodeBalancerConfigs.create({ path, body: config });
  return { path: { ...path, configId: id } };
}

export const configPlans = {
  list: balancer,
  create: async (stage) => ({
    ...(await balancer(stage)),
    body: { ...config, port: 443, protocol: "https", ...(await pair) },
  }),
  view: inConfig,
  update: async (stage) => ({ ...(await inConfig(stage)), body: { ...config, port: 8080 } }),
  delete: inConfig,
  rebuild: async (stage) => ({ ...(await inConfig(stage)), body: { ...config, nodes: [await node(stage)] } }),
} satisfies Plans<typeof nodeBalancerConfigs>;

async function inNode(stage: Stage): Promise<InNode> {
  const { path } = await inConfig(stage);
  const { id } = await stage.api.nodeBalancerNodes.create({ path, body: await node(stage) });
  return { path: { ...path, nodeId: id } };
}

export const nodePlans = {
  list: inConfig,
  create: async (stage) => ({ ...(await inConfig(stage)), body: await node(stage) }),
  view: inNode,
  update: async (stage) => ({ ...(await inNode(stage)), body: { label: "web-2", mode: "drain", weight: 1 } }),
  delete: inNode,
} satisfies Plans<typeof nodeBalancerNodes>;
