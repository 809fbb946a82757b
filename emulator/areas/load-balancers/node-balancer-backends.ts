import {
  backendOf,
  type NodeBalancerNode,
  type NodeBalancerNodeCreate,
  type Operations,
  type Received,
} from "../../../api";
import type { Reasons } from "../../core/error-response";
import { entity } from "../../core/events";
import type { RowOf } from "../../core/store";
import type { World } from "../../core/world";
import type { Caller } from "../../http/auth";
import { runsOf } from "../compute/instance-runs";

/** A stored backend of a load balancer. Its status is computed from the health checks when the backend is read. */
export interface NodeBalancerNodeRow extends Omit<NodeBalancerNode, "status"> {
  /** The backend's IP address without the port. It is an address of an instance. */
  ip: string;
  /** Time at which the backend was added or its address last changed, in milliseconds since 1970. */
  added: number;
  checked_since: number;
}

/**
 * Rejects an address unless it is a private address of an instance in the load balancer's region that the caller may
 * see.
 */
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
  if (!fits) problems.add(`${ip} is not a private address of an instance in ${region}`, field);
}

export function addNode(
  world: World,
  { id, nodebalancer_id }: RowOf<"nodeBalancerConfigs">,
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
  changes: Received<Operations["nodeBalancerNodes"]["update"]>["body"],
): Readonly<NodeBalancerNodeRow> {
  const { address = node.address } = changes;
  const moved = address !== node.address && { ip: ipOf(address), checked_since: world.clock.now() };
  return world.nodeBalancerNodes.patch(node.id, { ...changes, ...moved });
}

const ipOf = (address: string): string => (backendOf(address) as { ip: string }).ip;

/** Removes the backends that refer to an instance which is being deleted. */
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
 * The status of a backend according to its health checks. The first success marks the backend as up. The configured
 * number of consecutive failures marks it as down. Checks start over when the backend's address or the settings of the
 * checks change.
 */
export function statusOf(
  world: World,
  { check, check_interval, check_attempts, checks_since }: RowOf<"nodeBalancerConfigs">,
  { ip, checked_since }: Readonly<NodeBalancerNodeRow>,
): NodeBalancerNode["status"] {
  if (check === "none") return "unknown";
  const instance = world.instances.get(world.addresses.get(ip).compute_id);
  const since = Math.max(checked_since, checks_since);
  const interval = world.clock.takes(check_interval);
  const checksBefore = (time: number): number => Math.max(0, Math.ceil((time - since) / interval) - 1);
  const now = world.clock.now() + 1;
  let status: NodeBalancerNode["status"] = "unknown";
  let failed = 0;
  let done = 0;
  const pass = (until: number, runs: boolean): void => {
    const passed = checksBefore(until) - done;
    done += passed;
    failed = runs && passed > 0 ? 0 : runs ? failed : failed + passed;
    if (runs && passed > 0) status = "UP";
    if (failed >= check_attempts) status = "DOWN";
  };
  for (const [from, to] of runsOf(instance)) {
    pass(from, false);
    pass(to === null ? now : to + 1, true);
  }
  pass(now, false);
  return status;
}
