import {
  backendOf,
  type NodeBalancerNode,
  type NodeBalancerNodeCreate,
  type nodeBalancerNodes,
  type Received,
} from "../../../api";
import { entity } from "../../core/events";
import { notFound, Reasons } from "../../core/refusal";
import { table } from "../../core/store";
import type { World } from "../../core/world";
import type { Caller } from "../../http/auth";
import { type Handlers, listed } from "../../http/handlers";
import { runsOf } from "../compute/instance-runs";
import { configOf, type NodeBalancerConfigRow } from "./node-balancer-configs";

/** A node as it is kept: its status is what a check would find. */
export interface NodeBalancerNodeRow extends Omit<NodeBalancerNode, "status"> {
  /** The address without its port: that of an instance. */
  ip: string;
  /** When it was added, and when its address last changed, in milliseconds since 1970. */
  added: number;
  checked_since: number;
}

export const tables = {
  nodeBalancerNodes: table<NodeBalancerNodeRow>([], {
    refs: { nodebalancer_id: "nodeBalancers", config_id: "nodeBalancerConfigs", ip: "addresses" },
  }),
};

export const handlers: Handlers<typeof nodeBalancerNodes> = {
  list({ world, path }) {
    const { config } = configOf(world, path);
    return listed(world.nodeBalancerNodes.by("config_id", config.id), (row) => shown(world, config, row));
  },

  create({ world, caller, path, body, emit }) {
    const { balancer, config } = configOf(world, path);
    const problems = new Reasons();
    checkBackend(world, caller, balancer.region, body.address, problems, "address");
    problems.refuse();
    const node = addNode(world, config, body);
    emit(entity("nodebalancer", balancer), { message: node.label });
    return shown(world, config, node);
  },

  view({ world, path }) {
    const { config, node } = find(world, path);
    return shown(world, config, node);
  },

  update({ world, caller, path, body, emit }) {
    const { balancer, config, node } = find(world, path);
    const problems = new Reasons();
    if (body.address !== undefined) checkBackend(world, caller, balancer.region, body.address, problems, "address");
    problems.refuse();
    const changed = changeNode(world, node, body);
    emit(entity("nodebalancer", balancer), { message: changed.label });
    return shown(world, config, changed);
  },

  delete({ world, path, emit }) {
    const { balancer, node } = find(world, path);
    world.nodeBalancerNodes.remove(node.id);
    emit(entity("nodebalancer", balancer), { message: node.label });
    return {};
  },
};

/** Complains of an address that is no private one of an instance in the region, or of an instance hidden from the caller. */
export function checkBackend(
  world: World,
  caller: Caller,
  region: string,
  address: string,
  problems: Reasons,
  field: string,
): void {
  const { ip = "" } = backendOf(address) ?? {};
  const row = world.addresses.find(ip);
  const fits = row && !row.public && row.region === region && caller.may("compute", row.compute_id, "read_only");
  if (!fits) problems.add(`${ip} is no private address of an instance in ${region}`, field);
}

export function addNode(
  world: World,
  { id, nodebalancer_id }: Readonly<NodeBalancerConfigRow>,
  wanted: NodeBalancerNodeCreate,
): Readonly<NodeBalancerNodeRow> {
  const now = world.clock.now();
  const since = { added: now, checked_since: now };
  return world.nodeBalancerNodes.insert({
    ...wanted,
    ip: ipOf(wanted.address),
    config_id: id,
    nodebalancer_id,
    ...since,
  });
}

export function changeNode(
  world: World,
  node: Readonly<NodeBalancerNodeRow>,
  changes: Received<typeof nodeBalancerNodes.update>["body"],
): Readonly<NodeBalancerNodeRow> {
  const { address = node.address } = changes;
  const moved = address !== node.address && { ip: ipOf(address), checked_since: world.clock.now() };
  return world.nodeBalancerNodes.patch(node.id, { ...changes, ...moved });
}

const ipOf = (address: string): string => (backendOf(address) as { ip: string }).ip;

/** Takes an instance that is about to be removed out of all load balancers. */
export function removeNodesOf(world: World, computeId: number): void {
  const instance = entity("compute", world.instances.get(computeId));
  for (const { id: ip } of world.addresses.by("compute_id", computeId)) {
    for (const node of world.nodeBalancerNodes.by("ip", ip)) {
      world.nodeBalancerNodes.remove(node.id);
      world.events.add(
        "nodebalancer_node_delete",
        entity("nodebalancer", world.nodeBalancers.get(node.nodebalancer_id)),
        {
          secondary_entity: instance,
          message: node.label,
        },
      );
    }
  }
}

/**
 * What the checks of the config have found by now. They are made at every interval since the node came or changed its
 * address, or the checks changed: one that is answered shows the backend up, so many attempts in a row that are not
 * show it down.
 */
export function statusOf(
  world: World,
  { check, check_interval, check_attempts, checks_since }: Readonly<NodeBalancerConfigRow>,
  { ip, checked_since }: Readonly<NodeBalancerNodeRow>,
): NodeBalancerNode["status"] {
  const instance = world.instances.find(world.addresses.find(ip)?.compute_id);
  if (check === "none" || !instance) return "unknown";
  const since = Math.max(checked_since, checks_since);
  const interval = world.clock.takes(check_interval);
  const checksBefore = (time: number): number => Math.max(0, Math.ceil((time - since) / interval) - 1);
  const now = world.clock.now() + 1;
  let status: NodeBalancerNode["status"] = "unknown";
  let failed = 0;
  let done = 0;
  const pass = (until: number, runs: boolean): void => {
    const made = checksBefore(until) - done;
    done += made;
    failed = runs && made > 0 ? 0 : runs ? failed : failed + made;
    if (runs && made > 0) status = "UP";
    if (failed >= check_attempts) status = "DOWN";
  };
  for (const [from, to] of runsOf(instance)) {
    pass(from, false);
    pass(to === null ? now : to + 1, true);
  }
  pass(now, false);
  return status;
}

const shown = (
  world: World,
  config: Readonly<NodeBalancerConfigRow>,
  row: Readonly<NodeBalancerNodeRow>,
): NodeBalancerNode => ({ ...row, status: statusOf(world, config, row) });

function find(world: World, path: { nodeBalancerId: number; configId: number; nodeId: number }) {
  const { balancer, config } = configOf(world, path);
  const node = world.nodeBalancerNodes.get(path.nodeId);
  if (node.config_id !== config.id) throw notFound();
  return { balancer, config, node };
}
