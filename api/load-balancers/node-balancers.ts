import { z } from "zod";
import { Created, Empty, Id, Paging, page, RegionId, Tags, Updated } from "../schema/common";
import type { Area } from "../schema/operation";
import { type Rule, withinEach } from "../schema/rule";
import { nodeBalancerConfigRules } from "./node-balancer-config-rules";
import { NodeBalancerConfigWithNodes } from "./node-balancer-configs";

export const NodeBalancerLabel = z
  .string()
  .min(3)
  .max(32)
  .regex(/^[a-zA-Z0-9_-]*$/, "must contain only letters, digits, dashes and underscores")
  .describe("Label of the load balancer. Must be unique in the account. If omitted, a label is generated.");

const Throttle = z
  .int()
  .min(0)
  .max(20)
  .describe("Maximum number of connections per second from one client. 0 means unlimited.");

const megabytes = z.number().nullable();

const Transfer = z.strictObject({
  total: megabytes.describe("Total traffic of the month in MB. Null until there is traffic."),
  out: megabytes.describe("Outgoing traffic of the month in MB. Null until there is traffic."),
  in: megabytes.describe("Incoming traffic of the month in MB. Null until there is traffic."),
});

export type NodeBalancer = z.output<typeof NodeBalancer>;
/** A load balancer: distributes traffic to instances in its region. */
export const NodeBalancer = z.strictObject({
  id: Id,
  label: NodeBalancerLabel.meta({ filterable: true }),
  region: RegionId.meta({ filterable: true }).describe("Region of the load balancer and of its backends."),
  hostname: z.string().describe("Host name of the load balancer."),
  ipv4: z.string().meta({ filterable: true }).describe("Public IPv4 address."),
  ipv6: z.string().nullable().describe("Public IPv6 address. Null if there is none."),
  client_conn_throttle: Throttle,
  transfer: Transfer.meta({ volatile: true }).describe("Traffic of the current month."),
  tags: Tags.meta({ filterable: true }),
  created: Created,
  updated: Updated,
});

export type NodeBalancerStats = z.output<typeof NodeBalancerStats>;
/** Statistics of the last 24 hours, one value for every five minutes, oldest first. */
export const NodeBalancerStats = z.strictObject({
  data: z
    .strictObject({
      connections: z.array(z.number()).describe("Connections per second."),
      traffic: z
        .strictObject({
          in: z.array(z.number()).describe("Incoming traffic in bits per second."),
          out: z.array(z.number()).describe("Outgoing traffic in bits per second."),
        })
        .describe("Traffic of the load balancer."),
    })
    .describe("Measured values: connections and traffic over time."),
  title: z.string().describe("Title of the statistics, with the label of the load balancer and the period."),
});

export type NodeBalancerCreate = z.output<typeof NodeBalancerCreate>;
export const NodeBalancerCreate = z.strictObject({
  region: RegionId.describe("Region of the load balancer and of its backends."),
  label: NodeBalancerLabel.optional(),
  client_conn_throttle: Throttle.default(0),
  tags: Tags.optional(),
  configs: z
    .array(NodeBalancerConfigWithNodes)
    .optional()
    .describe("Port configs to create with the load balancer, one for each port."),
});

export const nodeBalancerCreateRules: Rule<Pick<NodeBalancerCreate, "configs">>[] = [
  ...withinEach("configs", nodeBalancerConfigRules),
  {
    reads: ["configs"],
    *check({ configs = [] }) {
      const ports = configs.map(({ port }) => port);
      for (const [at, port] of ports.entries())
        if (ports.indexOf(port) < at)
          yield {
            field: `configs.${at}.port`,
            reason: `must be unique in the load balancer: port ${port} is listed twice`,
          };
    },
    source: "part 3 · Endpoints · Load balancers",
  },
];

const one = "/nodebalancers/{nodeBalancerId}";
const source = "part 3 · Endpoints · Load balancers";

export const nodeBalancers = {
  list: {
    summary: "List the load balancers of the account.",
    method: "GET",
    path: "/nodebalancers",
    scopes: ["nodebalancers:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(NodeBalancer),
    source,
  },
  create: {
    summary:
      "Create a load balancer, optionally with ports and backends. The load balancer is billed from its creation.",
    method: "POST",
    path: "/nodebalancers",
    scopes: ["nodebalancers:read_write"],
    grant: "add_nodebalancers",
    body: NodeBalancerCreate,
    result: NodeBalancer,
    event: "nodebalancer_create",
    decided: ["By default clients are not throttled."],
    source,
  },
  view: {
    summary: "View a load balancer.",
    method: "GET",
    path: one,
    scopes: ["nodebalancers:read_only"],
    grant: "read_only",
    result: NodeBalancer,
    source,
  },
  update: {
    summary: "Update a load balancer's label, tags or connection limit per client.",
    method: "PUT",
    path: one,
    scopes: ["nodebalancers:read_write"],
    grant: "read_write",
    body: z
      .strictObject({
        label: NodeBalancerLabel,
        client_conn_throttle: Throttle,
        tags: Tags,
        transfer: Transfer.partial().describe(
          "Traffic of the current month. Read-only: a value in the request is ignored.",
        ),
      })
      .partial(),
    result: NodeBalancer,
    event: "nodebalancer_update",
    decided: ["`transfer` is accepted, as the documents list it, but ignored: all its fields are read-only."],
    source,
  },
  delete: {
    summary: "Delete a load balancer with its configs, nodes and addresses. Its backend instances are not affected.",
    method: "DELETE",
    path: one,
    scopes: ["nodebalancers:read_write"],
    grant: "read_write",
    result: Empty,
    event: "nodebalancer_delete",
    source,
  },
  stats: {
    summary: "View the connections and traffic of a load balancer over the last 24 hours.",
    method: "GET",
    path: `${one}/stats`,
    scopes: ["nodebalancers:read_only"],
    grant: "read_only",
    result: NodeBalancerStats,
    decided: ["Statistics are available five minutes after the load balancer was created."],
    source,
  },
} satisfies Area;
