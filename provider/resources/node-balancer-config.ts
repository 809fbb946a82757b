import {
  Id,
  NodeBalancerConfig,
  NodeBalancerConfigCreate,
  nodeBalancerConfigRules,
  pemLines,
  readCertificate,
  sslPairRules,
} from "../../api";
import { resource } from "../engine/definition";
import { pick } from "../engine/values";
import { serviceDefault } from "./service-default";

const { ssl_cert, ssl_key, check_interval, check_timeout, check_path } = NodeBalancerConfigCreate.shape;

/** Outputs that the API derives from the SSL certificate. */
const certificate = ["ssl_commonname", "ssl_fingerprint"] as const;

export const nodeBalancerConfig = resource({
  name: "NodeBalancerConfig",
  summary: "Manages a port of a load balancer. Each backend is a `NodeBalancerNode`.",
  elsewhere: { terraform: "linode_nodebalancer_config", pulumi: "NodeBalancerConfig" },
  inputs: NodeBalancerConfigCreate.extend({
    nodebalancer_id: Id.describe("Load balancer that the port belongs to."),
    check_interval: serviceDefault(check_interval),
    check_timeout: serviceDefault(check_timeout),
    check_path: serviceDefault(check_path),
  }),
  outputs: NodeBalancerConfig.extend({
    ssl_cert: ssl_cert
      .unwrap()
      .describe(
        "Certificate as set in the program. If the certificate was changed outside the program, the fingerprint of the new certificate.",
      ),
    ssl_key: ssl_key
      .unwrap()
      .describe(
        "Private key as set in the program. If the certificate was changed outside the program, the fingerprint of the new certificate.",
      ),
  }),
  identity: {
    area: "nodeBalancerConfigs",
    parents: { nodebalancer_id: "nodeBalancerId" },
    displayName: ({ port, nodebalancer_id }) => (port ? `port ${port} of NodeBalancer ${nodebalancer_id}` : undefined),
    /**
     * The API returns only the certificate's fingerprint, so the certificate with this fingerprint is taken from state,
     * or from the program if the response to an update was lost. If neither has it, the output is the fingerprint
     * itself.
     */
    async extend({ state, want }, record) {
      const { ssl_fingerprint } = record;
      if (!ssl_fingerprint) return { ...record, ssl_cert: null, ssl_key: null };
      const used = [state, want].find((pair) => fingerprint(pair.ssl_cert) === ssl_fingerprint);
      return { ...record, ssl_cert: used?.ssl_cert ?? ssl_fingerprint, ssl_key: used?.ssl_key ?? ssl_fingerprint };
    },
    lostCreate: { match: ["nodebalancer_id", "port"] },
  },
  inventory: { file: "load-balancers", list: "operation", title: ({ port }) => port },
  fields: {
    nodebalancer_id: "replace",
    port: "edit",
    protocol: { change: "edit", touches: certificate },
    algorithm: "edit",
    stickiness: "edit",
    check: "edit",
    check_interval: "edit",
    check_timeout: "edit",
    check_attempts: "edit",
    check_path: "edit",
    check_body: "edit",
    check_passive: "edit",
    proxy_protocol: "edit",
    cipher_suite: "edit",
    // Certificate and key are compared by the certificate's fingerprint, because the API does not return them.
    ssl_cert: {
      change: "edit",
      revealedBy: "ssl_fingerprint",
      touches: certificate,
      current: ({ ssl_cert, ssl_fingerprint }, want) => declarable(ssl_cert, ssl_fingerprint, want.ssl_cert),
      canonical: (value, { ssl_cert }) => (value === fingerprint(ssl_cert) ? ssl_cert : value),
    },
    ssl_key: {
      change: "edit",
      touches: certificate,
      current: ({ ssl_key, ssl_fingerprint }, want) => declarable(ssl_key, ssl_fingerprint, want.ssl_key),
      canonical: (value, { ssl_cert, ssl_key }) => (value === fingerprint(ssl_cert) ? ssl_key : value),
    },
  },
  steps: {
    edit: {
      async run({ api, path, changed: body, setState }) {
        await api.nodeBalancerConfigs.update({ path, body });
        setState(pick(body, ["ssl_cert", "ssl_key"]));
      },
    },
  },
  checks: { rules: [...nodeBalancerConfigRules, ...sslPairRules] },
  async create({ api, want: { nodebalancer_id: nodeBalancerId, ...body } }) {
    const { id } = await api.nodeBalancerConfigs.create({ path: { nodeBalancerId }, body });
    return { nodeBalancerId, configId: id };
  },
});

type Pem = string | null | undefined;

/**
 * Certificate or key as an input. Undefined if only the fingerprint is known and the program does not declare the
 * value, for example during an import, because a fingerprint is not a valid input.
 */
const declarable = (observed: Pem, print: string | undefined, declared: Pem): Pem =>
  observed === print && declared === undefined ? undefined : observed;

const fingerprint = (pem: Pem): string | undefined => (pem ? readCertificate(pemLines(pem))?.fingerprint : undefined);
