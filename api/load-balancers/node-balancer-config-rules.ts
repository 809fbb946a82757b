import { isPrivateKey, keyMatches, pemLines, readCertificate } from "../schema/pem";
import type { Rule } from "../schema/rule";
import type { NodeBalancerConfigCreate, NodeBalancerNodeRebuild } from "./node-balancer-configs";

type CheckedFields = {
  [F in "protocol" | "stickiness" | "check" | "check_body" | "ssl_cert" | "ssl_key"]?:
    | NodeBalancerConfigCreate[F]
    | undefined;
};

export const nodeBalancerConfigRules: Rule<CheckedFields>[] = [
  {
    reads: ["protocol", "ssl_cert", "ssl_key"],
    *check({ protocol = "http", ...fields }) {
      for (const field of ["ssl_cert", "ssl_key"] as const) {
        if (protocol === "https" && !fields[field]) yield { field, reason: "is required for the protocol https" };
        if (protocol !== "https" && fields[field] != null)
          yield {
            field,
            reason: `must be omitted for the protocol ${protocol}: only the protocol https uses a certificate`,
          };
      }
    },
    source: "part 3 · Resources · Load balancer config",
  },
  {
    reads: ["protocol", "stickiness"],
    *check({ protocol = "http", stickiness }) {
      if (protocol === "tcp" && stickiness === "http_cookie")
        yield { field: "stickiness", reason: "must not be http_cookie for the protocol tcp, which has no cookies" };
    },
    source: "part 3 · Resources · Load balancer config",
  },
  {
    reads: ["check", "check_body"],
    *check({ check, check_body }) {
      if (check === "http_body" && !check_body)
        yield { field: "check_body", reason: "is required if check is http_body" };
    },
    source: "part 3 · Resources · Load balancer config",
  },
];

type Pair = Pick<CheckedFields, "ssl_cert" | "ssl_key">;

export const sslPairRules: Rule<Pair>[] = [
  {
    reads: ["ssl_cert", "ssl_key"],
    *check({ ssl_cert, ssl_key }) {
      const certificate = ssl_cert ? readCertificate(pemLines(ssl_cert)) : undefined;
      if (ssl_cert && !certificate) yield { field: "ssl_cert", reason: "must be a certificate in PEM format" };
      if (!ssl_key) return;
      if (!isPrivateKey(pemLines(ssl_key)))
        yield { field: "ssl_key", reason: "must be a private key in PEM format, without a passphrase" };
      else if (certificate && !keyMatches(certificate, pemLines(ssl_key)))
        yield { field: "ssl_key", reason: "must be the private key that matches the certificate" };
    },
    source: "part 3 · Resources · Load balancer config",
  },
];

export const nodeBalancerRebuildRules: Rule<{ nodes: NodeBalancerNodeRebuild[] }>[] = [
  {
    reads: ["nodes"],
    *check({ nodes }) {
      const ids = nodes.map(({ id }) => id);
      for (const [at, node] of nodes.entries()) {
        if (node.id !== undefined && ids.indexOf(node.id) < at)
          yield { field: `nodes.${at}.id`, reason: `must not list node ${node.id} twice` };
        for (const field of ["label", "address"] as const)
          if (node.id === undefined && node[field] === undefined)
            yield {
              field: `nodes.${at}.${field}`,
              reason: "is required for a new node, which is an entry without an id",
            };
      }
    },
    source: "part 3 · Endpoints · Load balancers",
  },
];
