import { z } from "zod";
import { Empty, Id, ofText, Paging, page } from "../schema/common";
import type { Area } from "../schema/operation";
import { canonicalPem } from "../schema/pem";
import { NodeBalancerNodeCreate, NodeBalancerNodeUpdate } from "./node-balancer-nodes";

/** The placeholder that responses contain instead of certificates and private keys. */
export const SSL_REDACTED = "<REDACTED>";

const words = <const T extends readonly string[]>(options: T) => z.enum(options).meta({ caseless: true });

const fields = {
  port: z.int().min(1).max(65535).describe("Port to listen on. Must be unique in the load balancer."),
  protocol: words(["http", "https", "tcp"]).describe("Protocol of the port."),
  algorithm: words(["roundrobin", "leastconn", "source"]).describe(
    "Algorithm that selects the backend for a new connection.",
  ),
  stickiness: words(["none", "table", "http_cookie"]).describe(
    "Session stickiness: `none`, `table` (by client address) or `http_cookie` (http and https only).",
  ),
  check: words(["none", "connection", "http", "http_body"]).describe(
    "Health check of the backends: `none`, `connection` (TCP), `http` (a successful HTTP response) or `http_body` (a response that contains `check_body`).",
  ),
  check_interval: z.int().min(1).describe("Seconds between two health checks of a backend."),
  check_timeout: z.int().min(1).max(30).describe("Timeout of a health check in seconds."),
  check_attempts: z.int().min(1).max(30).describe("Number of failed health checks after which a backend is down."),
  check_path: z
    .string()
    .regex(/^[a-zA-Z0-9/\-%?&=.]*$/, "must contain only letters, digits and the characters / . - % ? & =")
    .describe("Path that HTTP health checks request."),
  check_body: z.string().describe("Text that the response must contain. Required for the health check `http_body`."),
  check_passive: z.boolean().describe("Whether 5xx responses mark a backend as unhealthy."),
  proxy_protocol: words(["none", "v1", "v2"]).describe(
    "Proxy protocol that passes the client's address to backends: `none`, `v1` (text header) or `v2` (binary header).",
  ),
  cipher_suite: words(["recommended", "legacy"]).describe(
    "Cipher suite for https. `legacy` includes insecure ciphers.",
  ),
};

export type NodeBalancerConfig = z.output<typeof NodeBalancerConfig>;
/** The configuration of one port of a load balancer. */
export const NodeBalancerConfig = z.strictObject({
  id: Id,
  nodebalancer_id: Id.describe("Load balancer that the port config belongs to."),
  ...fields,
  ssl_cert: z.string().nullable().describe(`\`${SSL_REDACTED}\` if a certificate is set, otherwise null.`),
  ssl_key: z.string().nullable().describe(`\`${SSL_REDACTED}\` if a private key is set, otherwise null.`),
  ssl_commonname: z.string().describe("Common name of the certificate. Empty without a certificate."),
  ssl_fingerprint: z.string().describe("SHA-1 fingerprint of the certificate. Empty without a certificate."),
  nodes_status: z
    .strictObject({
      up: z.int().min(0).describe("Number of healthy nodes."),
      down: z.int().min(0).describe("Number of unhealthy nodes."),
    })
    .meta({ volatile: true })
    .describe(
      "Health of the nodes. Nodes that have not been checked yet, and all nodes without checks, count as down.",
    ),
});

const ssl = {
  ssl_cert: z
    .string()
    .nullable()
    .meta({ secret: true, canonical: ofText(canonicalPem) })
    .describe("TLS certificate in PEM format, with its chain if there is one. Only for https."),
  ssl_key: z
    .string()
    .nullable()
    .meta({ secret: true, canonical: ofText(canonicalPem) })
    .describe("Private key of the certificate in PEM format, without a passphrase. Only for https."),
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

/**
 * A backend in a request that rebuilds a config. A backend with an id is updated; a backend without an id is created.
 */
export type NodeBalancerNodeRebuild = z.output<typeof NodeBalancerNodeRebuild>;
export const NodeBalancerNodeRebuild = NodeBalancerNodeUpdate.extend({
  id: Id.optional().describe("Id of an existing node to keep and update. If omitted, a node is created."),
});

export type NodeBalancerConfigRebuild = z.output<typeof NodeBalancerConfigRebuild>;
export const NodeBalancerConfigRebuild = NodeBalancerConfigUpdate.extend({
  nodes: z
    .array(NodeBalancerNodeRebuild)
    .min(1)
    .describe("All backends of the port. Existing nodes whose ids are not listed are deleted."),
});

/** A config with its backends, in a request that creates a load balancer. */
export type NodeBalancerConfigWithNodes = z.output<typeof NodeBalancerConfigWithNodes>;
export const NodeBalancerConfigWithNodes = NodeBalancerConfigCreate.extend({
  nodes: z.array(NodeBalancerNodeCreate).min(1).describe("Backends of the port."),
});

const all = "/nodebalancers/{nodeBalancerId}/configs";
const one = `${all}/{configId}` as const;
const source = "part 3 · Endpoints · Load balancers";
const checked = [
  "The protocol tcp does not allow the stickiness http_cookie. The check http_body requires `check_body`.",
  "The key must match the certificate. The expiry date of the certificate is not checked.",
];
const changes = [
  ...checked,
  "Omitted fields are unchanged. A change from https to another protocol removes certificate and key.",
  "Sending `<REDACTED>` for a certificate or key keeps the current one, as omitting the field does.",
];

export const nodeBalancerConfigs = {
  list: {
    summary: "List the port configs of a load balancer, one for each port.",
    method: "GET",
    path: all,
    scopes: ["nodebalancers:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(NodeBalancerConfig),
    source,
  },
  create: {
    summary: "Add a port without backends to a load balancer. To add backends, use `nodeBalancerNodes.create`.",
    method: "POST",
    path: all,
    scopes: ["nodebalancers:read_write"],
    grant: "read_write",
    body: NodeBalancerConfigCreate,
    result: NodeBalancerConfig,
    event: "nodebalancer_config_create",
    decided: [
      "Defaults: port 80, protocol http, algorithm roundrobin, stickiness none, check none every 31 seconds with 3 attempts of 30 seconds and an empty path, check_passive true, cipher_suite recommended.",
      ...checked,
    ],
    source,
  },
  view: {
    summary: "View the config of a port of a load balancer.",
    method: "GET",
    path: one,
    scopes: ["nodebalancers:read_only"],
    grant: "read_only",
    result: NodeBalancerConfig,
    source,
  },
  update: {
    summary: "Update the config of a port of a load balancer.",
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
    summary: "Delete a port config with its backends. The load balancer stops listening on the port.",
    method: "DELETE",
    path: one,
    scopes: ["nodebalancers:read_write"],
    grant: "read_write",
    result: Empty,
    event: "nodebalancer_config_delete",
    source,
  },
  rebuild: {
    summary: "Update a port config and replace its backends in one step.",
    method: "POST",
    path: `${one}/rebuild`,
    scopes: ["nodebalancers:read_write"],
    grant: "add_nodebalancers",
    body: NodeBalancerConfigRebuild,
    result: NodeBalancerConfig,
    event: "nodebalancer_config_update",
    decided: [
      ...changes,
      "A restricted user requires read_write on the load balancer in addition to the grant add_nodebalancers.",
      "Omitted fields of a node with an id are unchanged.",
    ],
    source,
  },
} satisfies Area;
