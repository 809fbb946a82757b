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
  .regex(/^[a-zA-Z0-9_-]*$/, "must hold only letters, digits, dashes and underscores")
  .describe("Name of the load balancer, unique in the account; one is made up when none is given.");

const Throttle = z
  .int()
  .min(0)
  .max(20)
  .describe("Connections a second that one client may make; 0 lets it make as many as it likes.");

const megabytes = z.number().nullable();

const Transfer = z.strictObject({
  total: megabytes.describe("Traffic in both directions, in MB."),
  out: megabytes.describe("Traffic to clients, in MB."),
  in: megabytes.describe("Traffic from clients, in MB."),
});

export type NodeBalancer = z.output<typeof NodeBalancer>;
/** A load balancer: one address that spreads traffic over instances of its region. */
export const NodeBalancer = z.strictObject({
  id: Id,
  label: NodeBalancerLabel.meta({ filterable: true }),
  region: RegionId.meta({ filterable: true }).describe("Region of the load balancer and of its backends."),
  hostname: z.string().describe("Name that resolves to the load balancer."),
  ipv4: z.string().meta({ filterable: true }).describe("Public IPv4 address."),
  ipv6: z.string().nullable().describe("Public IPv6 address, if there is one."),
  client_conn_throttle: Throttle,
  transfer: Transfer.meta({ volatile: true }).describe("Traffic of this month."),
  tags: Tags.meta({ filterable: true }),
  created: Created,
  updated: Updated,
});

export type NodeBalancerStats = z.output<typeof NodeBalancerStats>;
/** Readings of the last 24 hours, one for each five minutes, the oldest first. */
export const NodeBalancerStats = z.strictObject({
  data: z.strictObject({
    connections: z.array(z.number()).describe("Connections a second."),
    traffic: z.strictObject({
      in: z.array(z.number()).describe("Bits a second from clients."),
      out: z.array(z.number()).describe("Bits a second to clients."),
    }),
  }),
  title: z.string().describe("What the readings are of."),
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
    .describe("Ports to listen on from the start; later each is a config of its own."),
});

export const nodeBalancerCreateRules: Rule<Pick<NodeBalancerCreate, "configs">>[] = [
  ...withinEach("configs", nodeBalancerConfigRules),
  {
    reads: ["configs"],
    *check({ configs = [] }) {
      const ports = configs.map(({ port }) => port);
      for (const [at, port] of ports.entries())
        if (ports.indexOf(port) < at)
          yield { field: `configs.${at}.port`, reason: `must be unique in the load balancer, not ${port} again` };
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
    summary: "Create a load balancer, with ports and backends or without; charges start.",
    method: "POST",
    path: "/nodebalancers",
    scopes: ["nodebalancers:read_write"],
    grant: "add_nodebalancers",
    body: NodeBalancerCreate,
    result: NodeBalancer,
    event: "nodebalancer_create",
    decided: ["Clients are not throttled unless stated."],
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
    summary: "Change a load balancer's label, tags or throttle.",
    method: "PUT",
    path: one,
    scopes: ["nodebalancers:read_write"],
    grant: "read_write",
    body: z
      .strictObject({
        label: NodeBalancerLabel,
        client_conn_throttle: Throttle,
        tags: Tags,
        transfer: Transfer.partial().describe("Taken as it comes and left alone: the traffic is only measured."),
      })
      .partial(),
    result: NodeBalancer,
    event: "nodebalancer_update",
    decided: ["`transfer` is taken, as the documents list it, but changes nothing: every field of it is read-only."],
    source,
  },
  delete: {
    summary: "Delete a load balancer with its configs, nodes and addresses; the instances behind it stay.",
    method: "DELETE",
    path: one,
    scopes: ["nodebalancers:read_write"],
    grant: "read_write",
    result: Empty,
    event: "nodebalancer_delete",
    source,
  },
  stats: {
    summary: "View the connections and the traffic of a load balancer over the last 24 hours.",
    method: "GET",
    path: `${one}/stats`,
    scopes: ["nodebalancers:read_only"],
    grant: "read_only",
    result: NodeBalancerStats,
    decided: ["There are no statistics before the first reading, five minutes after the load balancer was made."],
    source,
  },
} satisfies Area;
