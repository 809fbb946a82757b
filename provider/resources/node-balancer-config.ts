import {
  Id,
  NodeBalancerConfig,
  NodeBalancerConfigCreate,
  nodeBalancerConfigRules,
  pemLines,
  readCertificate,
  sslPairRules,
} from "../../api";
import { resource } from "../engine/resource";
import { serviceDefault } from "./service-default";

const { ssl_cert, ssl_key, check_interval, check_timeout, check_path } = NodeBalancerConfigCreate.shape;

export const nodeBalancerConfig = resource({
  kind: "NodeBalancerConfig",
  summary: "A port that a load balancer listens on; each backend is a `NodeBalancerNode`.",
  source: "part 3 · Endpoints · Load balancers",
  area: "nodeBalancerConfigs",
  inputs: NodeBalancerConfigCreate.extend({
    nodebalancer_id: Id.describe("Load balancer that listens on the port."),
    check_interval: serviceDefault(check_interval),
    check_timeout: serviceDefault(check_timeout),
    check_path: serviceDefault(check_path),
  }),
  outputs: NodeBalancerConfig.extend({
    ssl_cert: ssl_cert
      .unwrap()
      .describe("Certificate as it was stated; its fingerprint where somebody else put it there."),
    ssl_key: ssl_key
      .unwrap()
      .describe("Key as it was stated; the certificate's fingerprint where somebody else put it there."),
  }),
  parent: { nodebalancer_id: "nodeBalancerId" },
  changes: {
    nodebalancer_id: "replace",
    port: "edit",
    protocol: "edit",
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
    ssl_cert: "edit",
    ssl_key: "edit",
  },
  steps: {
    edit: {
      async run({ api, path, changed: { nodebalancer_id: _, ...body }, seen, learn }) {
        await api.nodeBalancerConfigs.update({ path, body });
        learn({ ssl_cert: body.ssl_cert ?? seen.ssl_cert, ssl_key: body.ssl_key ?? seen.ssl_key });
      },
    },
  },
  // Where only the fingerprint is known, the certificate that has it is meant, and its key.
  observe: {
    ssl_cert: ({ ssl_cert, ssl_fingerprint }, want) => stated(ssl_cert, ssl_fingerprint, want.ssl_cert),
    ssl_key: ({ ssl_key, ssl_fingerprint }, want) => stated(ssl_key, ssl_fingerprint, want.ssl_key),
  },
  compare: {
    ssl_cert: (value, { ssl_cert }) => (value === fingerprint(ssl_cert) ? ssl_cert : value),
    ssl_key: (value, { ssl_cert, ssl_key }) => (value === fingerprint(ssl_cert) ? ssl_key : value),
  },
  rules: [...nodeBalancerConfigRules, ...sslPairRules],
  called: ({ port, nodebalancer_id }) => (port ? `port ${port} of NodeBalancer ${nodebalancer_id}` : undefined),
  key: ["nodebalancer_id", "port"],
  async create({ api, want: { nodebalancer_id: nodeBalancerId, ...body } }) {
    const { id } = await api.nodeBalancerConfigs.create({ path: { nodeBalancerId }, body });
    return { nodeBalancerId, configId: id };
  },
  /**
   * The service shows no certificate, but the fingerprint of the one that it uses: that tells whether it is the one last
   * put there, or the one wanted, if the answer to a change was lost. Of a stranger only the fingerprint is known.
   */
  async read({ was, want }, record) {
    const { ssl_fingerprint } = record;
    if (!ssl_fingerprint) return { ...record, ssl_cert: null, ssl_key: null };
    const used = [was, want].find((pair) => fingerprint(pair.ssl_cert) === ssl_fingerprint);
    return { ...record, ssl_cert: used?.ssl_cert ?? ssl_fingerprint, ssl_key: used?.ssl_key ?? ssl_fingerprint };
  },
});

/** Nothing where a program states nothing and only the fingerprint is known: it is no certificate that one could write. */
const stated = (seen: string | null, print: string, want: string | null | undefined): string | null | undefined =>
  seen === print && want === undefined ? undefined : seen;

const fingerprint = (pem: string | null | undefined): string | undefined =>
  pem ? readCertificate(pemLines(pem))?.fingerprint : undefined;
