import { z } from "zod";
import { Empty, Id, Paging, PartId, page } from "../schema/common";
import type { Area } from "../schema/operation";

/** The address of a backend, and its port where one is stated; undefined for anything but a private IPv4 address. */
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
    "Private IPv4 address of an instance in the balancer's region; `192.168.130.4:8080` names the port as well, else it is the config's.",
  );

export const NodeLabel = z
  .string()
  .min(3)
  .max(32)
  .regex(/^[a-zA-Z0-9_.-]*$/, "must hold only letters, digits, dashes, underscores and periods")
  .describe("Name of the node for people.");

const fields = {
  label: NodeLabel,
  address: NodeAddress,
  weight: z
    .int()
    .min(1)
    .max(255)
    .describe("Share of the traffic that no backend is pinned for: the higher, the more of it."),
  mode: z
    .enum(["accept", "reject", "drain", "backup"])
    .meta({ caseless: true })
    .describe(
      "`accept` takes traffic, `reject` none, `drain` only what is pinned already, `backup` all when every accepting node is down.",
    ),
};

export type NodeBalancerNode = z.output<typeof NodeBalancerNode>;
/** A backend that a config sends traffic to. */
export const NodeBalancerNode = z.strictObject({
  id: Id,
  ...fields,
  status: z
    .enum(["unknown", "UP", "DOWN"])
    .meta({ volatile: true })
    .describe("What the config's checks found; unknown before the first, and where nothing is checked."),
  config_id: PartId.describe("Config that the node belongs to."),
  nodebalancer_id: Id.describe("Load balancer that the config belongs to."),
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
  "A node's address belongs to an instance in the region of the load balancer; a restricted user must be able to see that instance.";

export const nodeBalancerNodes = {
  list: {
    summary: "List the nodes of a config.",
    method: "GET",
    path: all,
    scopes: ["nodebalancers:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(NodeBalancerNode),
    source,
  },
  create: {
    summary: "Add a backend to a config.",
    method: "POST",
    path: all,
    scopes: ["nodebalancers:read_write"],
    grant: "read_write",
    body: NodeBalancerNodeCreate,
    result: NodeBalancerNode,
    event: "nodebalancer_node_create",
    decided: [backends, "A node has weight 50 and mode accept unless stated."],
    source,
  },
  view: {
    summary: "View a node.",
    method: "GET",
    path: one,
    scopes: ["nodebalancers:read_write"],
    grant: "read_only",
    result: NodeBalancerNode,
    decided: [
      "Without checks a node's status stays unknown; with them the first is made one `check_interval` after the node was added.",
      "A check finds the backend up if its instance runs at that moment; after `check_attempts` checks in a row that do not, the node is DOWN.",
    ],
    source,
  },
  update: {
    summary: "Change a node's label, address, weight or mode.",
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
    summary: "Take a backend out of a config; its instance stays as it is.",
    method: "DELETE",
    path: one,
    scopes: ["nodebalancers:read_write"],
    grant: "read_write",
    result: Empty,
    event: "nodebalancer_node_delete",
    source,
  },
} satisfies Area;
