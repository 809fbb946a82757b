import { z } from "zod";
import { Empty, Id, ofText, Paging, page } from "../schema/common";
import type { Area } from "../schema/operation";
import { canonicalPem } from "../schema/pem";
import { NodeBalancerNodeCreate, NodeBalancerNodeUpdate } from "./node-balancer-nodes";

/** What stands in an answer where a certificate or key was given. */
export const SSL_REDACTED = "<REDACTED>";

const words = <const T extends readonly string[]>(options: T) => z.enum(options).meta({ caseless: true });

const fields = {
  port: z.int().min(1).max(65535).describe("Port to listen on, each once in a load balancer."),
  protocol: words(["http", "https", "tcp"]).describe("What is balanced; the port says nothing about it."),
  algorithm: words(["roundrobin", "leastconn", "source"]).describe("How a backend is chosen for a new connection."),
  stickiness: words(["none", "table", "http_cookie"]).describe(
    "What keeps a client at its backend: nothing, its address, or a cookie (for http and https).",
  ),
  check: words(["none", "connection", "http", "http_body"]).describe(
    "How backends are checked: not at all, by a connection, by a good HTTP answer, by a text in it.",
  ),
  check_interval: z.int().min(1).describe("Seconds between two checks of a backend."),
  check_timeout: z.int().min(1).max(30).describe("Seconds that a check may take."),
  check_attempts: z.int().min(1).max(30).describe("Failed checks after which a backend counts as down."),
  check_path: z
    .string()
    .regex(/^[a-zA-Z0-9/\-%?&=.]*$/, "must hold only letters, digits and / - % ? & = .")
    .describe("Path that the HTTP checks ask for."),
  check_body: z.string().describe("Text that the answer must hold for the check http_body."),
  check_passive: z.boolean().describe("Whether any answer of 5xx makes a backend count as unhealthy."),
  proxy_protocol: words(["none", "v1", "v2"]).describe(
    "How backends are told of the client's address: not at all, by a text header, by a binary one.",
  ),
  cipher_suite: words(["recommended", "legacy"]).describe("Ciphers for https; the legacy ones are insecure."),
};

export type NodeBalancerConfig = z.output<typeof NodeBalancerConfig>;
/** What a load balancer does on one of its ports. */
export const NodeBalancerConfig = z.strictObject({
  id: Id,
  nodebalancer_id: Id.describe("Load balancer that the config belongs to."),
  ...fields,
  ssl_cert: z
    .string()
    .nullable()
    .describe(`\`${SSL_REDACTED}\` in place of the certificate; null where there is none.`),
  ssl_key: z.string().nullable().describe(`\`${SSL_REDACTED}\` in place of the private key; null where there is none.`),
  ssl_commonname: z.string().describe("Common name of the certificate; empty without one."),
  ssl_fingerprint: z.string().describe("SHA-1 fingerprint of the certificate; empty without one."),
  nodes_status: z
    .strictObject({
      up: z.int().min(0).describe("Nodes that are up."),
      down: z.int().min(0).describe("Nodes that are down."),
    })
    .meta({ volatile: true })
    .describe("How many nodes the checks found up and down; those not checked yet are in neither number."),
});

const ssl = {
  ssl_cert: z
    .string()
    .nullable()
    .meta({ secret: true, canonical: ofText(canonicalPem) })
    .describe("Certificate in PEM form, with its chain if there is one; for https only."),
  ssl_key: z
    .string()
    .nullable()
    .meta({ secret: true, canonical: ofText(canonicalPem) })
    .describe("Private key of the certificate in PEM form, without a passphrase; for https only."),
};

export type NodeBalancerConfigCreate = z.output<typeof NodeBalancerConfigCreate>;
export const NodeBalancerConfigCreate = z.strictObject({
  port: fields.port.default(80),
  protocol: fields.protocol.default("http"),
  algorithm: fields.algorithm.default("roundrobin"),
  stickiness: fields.stickiness.default("none"),
  check: fields.check.default("none"),
  check_interval: fields.check_interval.default(31),
  check_timeout: fields.check_timeout.default(30),
  check_attempts: fields.check_attempts.default(3),
  check_path: fields.check_path.default(""),
  check_body: fields.check_body.default(""),
  check_passive: fields.check_passive.default(true),
  proxy_protocol: fields.proxy_protocol.default("none"),
  cipher_suite: fields.cipher_suite.default("recommended"),
  ssl_cert: ssl.ssl_cert.optional(),
  ssl_key: ssl.ssl_key.optional(),
});

export type NodeBalancerConfigUpdate = z.output<typeof NodeBalancerConfigUpdate>;
export const NodeBalancerConfigUpdate = z.strictObject({ ...fields, ...ssl }).partial();

/** A node of a rebuild: with an id it is changed, without one it is new. */
export type NodeBalancerNodeRebuild = z.output<typeof NodeBalancerNodeRebuild>;
export const NodeBalancerNodeRebuild = NodeBalancerNodeUpdate.extend({
  id: Id.optional().describe("Node of the config to keep and change; absent for a new one."),
});

export type NodeBalancerConfigRebuild = z.output<typeof NodeBalancerConfigRebuild>;
export const NodeBalancerConfigRebuild = NodeBalancerConfigUpdate.extend({
  nodes: z
    .array(NodeBalancerNodeRebuild)
    .min(1)
    .describe("All nodes that the config is to have; its other ones are deleted."),
});

/** A config as it comes with a new load balancer. */
export type NodeBalancerConfigWithNodes = z.output<typeof NodeBalancerConfigWithNodes>;
export const NodeBalancerConfigWithNodes = NodeBalancerConfigCreate.extend({
  nodes: z.array(NodeBalancerNodeCreate).min(1).describe("Backends of the port."),
});

const all = "/nodebalancers/{nodeBalancerId}/configs";
const one = `${all}/{configId}` as const;
const source = "part 3 · Endpoints · Load balancers";
const checked = [
  "The stickiness http_cookie is refused for tcp, and the check http_body without `check_body`.",
  "The key must be that of the certificate; whether the certificate is still valid is not looked at.",
];
const changes = [
  ...checked,
  "What is left out stays as it is; a change from https to another protocol drops certificate and key.",
  "`<REDACTED>` sent back for a certificate or key keeps it, as leaving the field out does.",
];

export const nodeBalancerConfigs = {
  list: {
    summary: "List the configs of a load balancer, one for each port.",
    method: "GET",
    path: all,
    scopes: ["nodebalancers:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(NodeBalancerConfig),
    source,
  },
  create: {
    summary: "Make a load balancer listen on a further port; nodes are added afterwards.",
    method: "POST",
    path: all,
    scopes: ["nodebalancers:read_write"],
    grant: "read_write",
    body: NodeBalancerConfigCreate,
    result: NodeBalancerConfig,
    event: "nodebalancer_config_create",
    decided: [
      "Unless stated: port 80, protocol http, algorithm roundrobin, stickiness none, check none every 31 seconds with 3 attempts of 30 seconds and an empty path, check_passive true, cipher_suite recommended.",
      ...checked,
    ],
    source,
  },
  view: {
    summary: "View a config.",
    method: "GET",
    path: one,
    scopes: ["nodebalancers:read_only"],
    grant: "read_only",
    result: NodeBalancerConfig,
    source,
  },
  update: {
    summary: "Change a config.",
    method: "PUT",
    path: one,
    scopes: ["nodebalancers:read_write"],
    grant: "read_write",
    body: NodeBalancerConfigUpdate,
    result: NodeBalancerConfig,
    event: "nodebalancer_config_update",
    decided: changes,
    source,
  },
  delete: {
    summary: "Delete a config with its nodes; the load balancer no longer answers on its port.",
    method: "DELETE",
    path: one,
    scopes: ["nodebalancers:read_write"],
    grant: "read_write",
    result: Empty,
    event: "nodebalancer_config_delete",
    source,
  },
  rebuild: {
    summary: "Change a config and say which nodes it has, in one step.",
    method: "POST",
    path: `${one}/rebuild`,
    scopes: ["nodebalancers:read_write"],
    grant: "add_nodebalancers",
    body: NodeBalancerConfigRebuild,
    result: NodeBalancerConfig,
    event: "nodebalancer_config_update",
    decided: [
      ...changes,
      "A restricted user needs read_write on the load balancer besides the grant add_nodebalancers.",
      "A node with an id keeps what is not stated of it.",
    ],
    source,
  },
} satisfies Area;
