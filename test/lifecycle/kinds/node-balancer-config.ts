import type { Fixture } from "../fixture";
import { certificates, rewritten } from "./certificates";

export const nodeBalancerConfig: Fixture<"NodeBalancerConfig"> = async ({ api, world }) => {
  const balancer = (label: string) => api.nodeBalancers.create({ body: { label, region: "us-east" } });
  const [one, other] = [await balancer("one"), await balancer("other")];
  const [first, second] = await certificates;
  const row = (id: number) => world.nodeBalancerConfigs.get(id);
  const bare = { sslCert: null, sslKey: null };
  return {
    base: { nodebalancerId: one.id, port: 443, protocol: "https", ...first },
    changes: {
      nodebalancerId: { to: other.id },
      port: { to: 8443 },
      protocol: [
        { to: "tcp", along: bare },
        { given: { protocol: "http", ...bare }, to: "https", along: first },
      ],
      algorithm: { to: "leastconn" },
      stickiness: { to: "http_cookie" },
      check: [{ to: "connection" }, { to: "http_body", along: { checkBody: "healthy" } }],
      checkInterval: { to: 20 },
      checkTimeout: { to: 10 },
      checkAttempts: { to: 5 },
      checkPath: { to: "/health?deep=1" },
      checkBody: [{ to: "healthy" }, { given: { checkBody: "healthy" }, to: "" }],
      checkPassive: { to: false },
      proxyProtocol: { given: { protocol: "tcp", ...bare }, to: "v2" },
      cipherSuite: { to: "legacy" },
      sslCert: [
        { to: second.sslCert, along: { sslKey: second.sslKey }, shown: (id) => row(id).ssl_cert },
        // A chain begins with the same certificate, whose fingerprint is all that is seen.
        { to: first.sslCert + second.sslCert, shown: (id) => row(id).ssl_cert },
      ],
      sslKey: { to: rewritten(first.sslKey), shown: (id) => row(id).ssl_key },
    },
    stir: (id) => world.nodeBalancerConfigs.patch(id, {}),
  };
};
