import { z } from "zod";
import {
  breaches,
  type NodeBalancerConfig,
  type NodeBalancerConfigCreate,
  type NodeBalancerConfigUpdate,
  NodeBalancerNodeCreate,
  nodeBalancerConfigRules,
  nodeBalancerRebuildRules,
  pemLines,
  readCertificate,
  SSL_REDACTED,
  sslPairRules,
} from "../../../api";
import { notFound, Reasons, sentence } from "../../core/error-response";
import { entity } from "../../core/events";
import { type RowOf, table } from "../../core/store";
import type { World } from "../../core/world";
import { type AreaModule, listed } from "../../http/handlers";
import { addNode, changeNode, checkBackend, statusOf } from "./node-balancer-backends";

/**
 * A stored port configuration of a load balancer, with the certificate and its key. Responses also contain the status
 * of the backends.
 */
export interface NodeBalancerConfigRow extends Omit<NodeBalancerConfig, "nodes_status"> {
  /**
   * Time at which the health check settings last changed, in milliseconds since 1970. Results of earlier checks no
   * longer count.
   */
  checks_since: number;
}

export const nodeBalancerConfigs: AreaModule<"nodeBalancerConfigs", { nodeBalancerConfigs: NodeBalancerConfigRow }> = {
  tables: {
    nodeBalancerConfigs: table<NodeBalancerConfigRow>([], { refs: { nodebalancer_id: "nodeBalancers" } }),
  },
  rules: {
    create: nodeBalancerConfigRules,
    rebuild: nodeBalancerRebuildRules,
  },
  handlers: {
    list({ world, path }) {
      const { id } = world.nodeBalancers.get(path.nodeBalancerId);
      return listed(world.nodeBalancerConfigs.by("nodebalancer_id", id), (row) => configRecord(world, row));
    },

    create({ world, path, body, emit }) {
      const balancer = world.nodeBalancers.get(path.nodeBalancerId);
      const problems = new Reasons();
      rejectTakenPort(world, balancer.id, body.port, problems);
      checkPair(body, problems);
      problems.throwIfAny();
      const config = addConfig(world, balancer.id, body);
      emit(entity("nodebalancer", balancer), { message: portOf(config) });
      return configRecord(world, config);
    },

    view: ({ world, path }) => configRecord(world, configOf(world, path).config),

    update({ world, path, body, emit }) {
      const { balancer, config } = configOf(world, path);
      const problems = new Reasons();
      const settings = changed(world, config, body, problems);
      problems.throwIfAny();
      const after = world.nodeBalancerConfigs.patch(config.id, settings);
      emit(entity("nodebalancer", balancer), { message: portOf(after) });
      return configRecord(world, after);
    },

    delete({ world, path, emit }) {
      const { balancer, config } = configOf(world, path);
      removeConfig(world, config.id);
      emit(entity("nodebalancer", balancer), { message: portOf(config) });
      return {};
    },

    rebuild({ world, caller, path, body: { nodes, ...body }, emit }) {
      const { balancer, config } = configOf(world, path);
      caller.need("nodebalancer", balancer.id, "read_write");
      const before = world.nodeBalancerNodes.by("config_id", config.id);
      const problems = new Reasons();
      const settings = changed(world, config, body, problems);
      for (const [at, { id, address }] of nodes.entries()) {
        const exists = id === undefined || before.some((node) => node.id === id);
        problems.addUnless(exists, `There is no node ${id} in config ${config.id}`, `nodes.${at}.id`);
        if (address !== undefined)
          checkBackend(world, caller, balancer.region, address, problems, `nodes.${at}.address`);
      }
      problems.throwIfAny();
      const after = world.nodeBalancerConfigs.patch(config.id, settings);
      for (const { id } of before) if (!nodes.some((node) => node.id === id)) world.nodeBalancerNodes.remove(id);
      for (const { id, ...node } of nodes) {
        if (id === undefined) addNode(world, after, z.parse(NodeBalancerNodeCreate, node));
        else changeNode(world, world.nodeBalancerNodes.get(id), node);
      }
      emit(entity("nodebalancer", balancer), { message: portOf(after) });
      return configRecord(world, after);
    },
  },
};

type CertificatePair = Pick<NodeBalancerConfigCreate, "ssl_cert" | "ssl_key">;

/** Adds a port configuration. The calling function must have validated it. */
export function addConfig(
  world: World,
  balancer: number,
  { ssl_cert, ssl_key, ...settings }: NodeBalancerConfigCreate,
): Readonly<NodeBalancerConfigRow> {
  return world.nodeBalancerConfigs.insert({
    ...settings,
    ...pairOf({ ssl_cert, ssl_key }),
    nodebalancer_id: balancer,
    checks_since: world.clock.now(),
  });
}

export function removeConfig(world: World, id: number): void {
  for (const node of world.nodeBalancerNodes.by("config_id", id)) world.nodeBalancerNodes.remove(node.id);
  world.nodeBalancerConfigs.remove(id);
}

/** Rejects an invalid certificate or key, and a key that does not belong to the certificate. */
export function checkPair(pair: CertificatePair, problems: Reasons, prefix = ""): void {
  for (const { field, reason } of breaches(sslPairRules, pair)) problems.add(sentence(reason), `${prefix}${field}`);
}

/**
 * The certificate and key in normalized PEM format, with the fields that are read from the certificate, such as its
 * common name.
 */
function pairOf({ ssl_cert, ssl_key }: CertificatePair) {
  const certificate = ssl_cert ? readCertificate(pemLines(ssl_cert)) : undefined;
  return {
    ssl_cert: ssl_cert ? pemLines(ssl_cert) : null,
    ssl_key: ssl_key ? pemLines(ssl_key) : null,
    ssl_commonname: certificate?.commonName ?? "",
    ssl_fingerprint: certificate?.fingerprint ?? "",
  };
}

/**
 * Returns the config that results from an update, and adds an error to `problems` for each rule that it violates. If
 * the protocol is not https, the certificate and key of the old config are removed.
 */
function changed(
  world: World,
  config: Readonly<NodeBalancerConfigRow>,
  body: NodeBalancerConfigUpdate,
  problems: Reasons,
): Omit<NodeBalancerConfigRow, "id" | "nodebalancer_id"> {
  const { id, nodebalancer_id, ...before } = config;
  const sent = Object.fromEntries(
    Object.entries(body).filter(([name, value]) => value !== undefined && !isSentBack(config, name, value)),
  );
  const cleared = (body.protocol ?? config.protocol) === "https" ? {} : { ssl_cert: null, ssl_key: null };
  const after: typeof before = { ...before, ...cleared, ...sent };
  if (after.port !== before.port) rejectTakenPort(world, nodebalancer_id, after.port, problems);
  problems.addBreaches(nodeBalancerConfigRules, after);
  checkPair(after, problems);
  if (problems.list.length > 0) return after;
  const same = (["check", "check_interval", "check_attempts"] as const).every((name) => after[name] === before[name]);
  return { ...after, ...pairOf(after), checks_since: same ? before.checks_since : world.clock.now() };
}

/**
 * Whether the value is the placeholder that responses contain instead of a certificate or key. A client that sends it
 * back does not change the certificate or key.
 */
const isSentBack = (config: Readonly<NodeBalancerConfigRow>, name: string, value: unknown): boolean =>
  (name === "ssl_cert" || name === "ssl_key") && value === SSL_REDACTED && config[name] !== null;

function rejectTakenPort(world: World, balancer: number, port: number, problems: Reasons): void {
  const taken = world.nodeBalancerConfigs.by("nodebalancer_id", balancer).some((config) => config.port === port);
  problems.addUnless(
    !taken,
    `Must be unique in the load balancer, which already has a config for port ${port}`,
    "port",
  );
}

/** The config as the API returns it, without the certificate and key. */
function configRecord(world: World, row: Readonly<NodeBalancerConfigRow>): NodeBalancerConfig {
  const statuses = world.nodeBalancerNodes.by("config_id", row.id).map((node) => statusOf(world, row, node));
  return {
    ...row,
    ssl_cert: row.ssl_cert && SSL_REDACTED,
    ssl_key: row.ssl_key && SSL_REDACTED,
    nodes_status: {
      up: statuses.filter((status) => status === "UP").length,
      // A node that has not been checked yet counts as down.
      down: statuses.filter((status) => status !== "UP").length,
    },
  };
}

const portOf = ({ port }: Readonly<NodeBalancerConfigRow>): string => `port ${port}`;

export function configOf(
  world: World,
  path: { nodeBalancerId: number; configId: number },
): { balancer: RowOf<"nodeBalancers">; config: Readonly<NodeBalancerConfigRow> } {
  const balancer = world.nodeBalancers.get(path.nodeBalancerId);
  const config = world.nodeBalancerConfigs.get(path.configId);
  if (config.nodebalancer_id !== balancer.id) throw notFound();
  return { balancer, config };
}
