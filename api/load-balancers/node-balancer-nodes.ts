import { z } from "zod";
import { Empty, Id, Paging, PartId, page } from "../schema/common";
import type { Area } from "../schema/operation";

/**
 * Splits the address of a backend, such as `192.168.130.4:8080`, into IP address and optional port. Returns undefined
 * if the address is invalid or not a private IPv4 address.
 */
export function backendOf(text: string): { ip: string; port?: number } | undefined {
  const [, ip = "", port] = /^(\d[\d.]*)(?::([1-9]\d{0,4}))?$/.exec(text) ?? [];
  const parts = ip.split(".").map(Number);
  if (parts.length !== 4 || parts.join(".") !== ip || parts.some((part) => part > 255) || Number(port ?? 1) > 65535)
    return undefined;
  const [a = 0, b = 0] = parts;
  const isPrivate = a === 10 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168);
  return isPrivate ? { ip, ...(port !== undefined && { port: Number(port) }) } : undefined;
}

export const NodeAddress = z
  .string()
  .refine(
    (text) => backendOf(text) !== undefined,
    "must be a private IPv4 address, with or without a port, like 192.168.130.4:8080",
  )
  .describe(
    "Private IPv4 address of an instance in the load balancer's region, optionally with a port, such as `192.168.130.4:8080`. The port defaults to the port on which the load balancer receives the traffic.",
  );

export const NodeLabel = z
  .string()
  .min(3)
  .max(32)
  .regex(/^[a-zA-Z0-9_.-]*$/, "must contain only letters, digits, dashes, underscores and periods")
  .describe("Label of the node.");

const fields = {
  label: NodeLabel,
  address: NodeAddress,
  weight: z
    .int()
    .min(1)
    .max(255)
    .describe("Relative share of the traffic. Clients that session stickiness assigns to a backend are not affected."),
  mode: z
    .enum(["accept", "reject", "drain", "backup"])
    .meta({ caseless: true })
    .describe(
      "Mode of the node: `accept` (all traffic), `reject` (no traffic), `drain` (only clients that session stickiness assigns to the node) or `backup` (traffic only if all accepting nodes are down).",
    ),
};

export type NodeBalancerNode = z.output<typeof NodeBalancerNode>;
/** A backend to which a load balancer sends traffic. */
export const NodeBalancerNode = z.strictObject({
  id: Id,
  ...fields,
  status: z
    .enum(["unknown", "UP", "DOWN"])
    .meta({ volatile: true })
    .describe("Health of the node. `Unknown` before the first health check, and if health checks are disabled."),
  config_id: PartId.describe("Config of the port that the node belongs to."),
  nodebalancer_id: Id.describe("Load balancer that the node belongs to."),
});

export type NodeBalancerNodeCreate = z.output<typeof NodeBalancerNodeCreate>;
export const NodeBalancerNodeCreate = z.strictObject({
  ...fields,
  weight: fields.weight.default(50),
  mode: fields.mode.default("accept"),
});

export const NodeBalancerNodeUpdate = z.strictObject(fields).partial();

const all = "/nodebalancers/{nodeBalancerId}/configs/{configId}/nodes";
const one = `${all}/{nodeId}` as const;
const source = "part 3 · Endpoints · Load balancers";
const backends =
  "The address of a node must belong to an instance in the region of the load balancer. A restricted user must have access to that instance.";

export const nodeBalancerNodes = {
  list: {
    summary: "List the backends (nodes) of a load balancer's port.",
    method: "GET",
    path: all,
    scopes: ["nodebalancers:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(NodeBalancerNode),
    source,
  },
  create: {
    summary: "Add a backend (node) to a load balancer's port.",
    method: "POST",
    path: all,
    scopes: ["nodebalancers:read_write"],
    grant: "read_write",
    body: NodeBalancerNodeCreate,
    result: NodeBalancerNode,
    event: "nodebalancer_node_create",
    decided: [
      backends,
      "Defaults: weight 50 and mode accept.",
      "Several nodes of a port can have the same address or label.",
      "Responses contain the address as the request has set it: without a port if it has none.",
    ],
    source,
  },
  view: {
    summary: "View a backend of a load balancer.",
    method: "GET",
    path: one,
    scopes: ["nodebalancers:read_write"],
    grant: "read_only",
    result: NodeBalancerNode,
    decided: [
      "Without checks, the status of a node stays unknown. With checks, the first runs one `check_interval` after the node was added.",
      "The deletion of an instance deletes the nodes with its addresses.",
      "A check succeeds if the backend's instance is running. After `check_attempts` consecutive failures, the node is DOWN.",
    ],
    source,
  },
  update: {
    summary: "Update the label, address, weight or mode of a load balancer's backend.",
    method: "PUT",
    path: one,
    scopes: ["nodebalancers:read_write"],
    grant: "read_write",
    body: NodeBalancerNodeUpdate,
    result: NodeBalancerNode,
    event: "nodebalancer_node_update",
    decided: [backends],
    source,
  },
  delete: {
    summary: "Remove a backend from a load balancer's port. The instance of the backend is not affected.",
    method: "DELETE",
    path: one,
    scopes: ["nodebalancers:read_write"],
    grant: "read_write",
    result: Empty,
    event: "nodebalancer_node_delete",
    source,
  },
} satisfies Area;
