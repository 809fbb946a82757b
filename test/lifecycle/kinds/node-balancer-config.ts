import fc, { type Arbitrary } from "fast-check";
import { cased, nothing, number, pem } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { id, type Templates } from "../template";
import { certificates, rewritten } from "./certificates";

export const effects: Effects<"NodeBalancerConfig"> = {
  nodebalancerId: "replace",
  port: ["nodeBalancerConfigs.update"],
  protocol: ["nodeBalancerConfigs.update"],
  algorithm: ["nodeBalancerConfigs.update"],
  stickiness: ["nodeBalancerConfigs.update"],
  check: ["nodeBalancerConfigs.update"],
  checkInterval: ["nodeBalancerConfigs.update"],
  checkTimeout: ["nodeBalancerConfigs.update"],
  checkAttempts: ["nodeBalancerConfigs.update"],
  checkPath: ["nodeBalancerConfigs.update"],
  checkBody: ["nodeBalancerConfigs.update"],
  checkPassive: ["nodeBalancerConfigs.update"],
  proxyProtocol: ["nodeBalancerConfigs.update"],
  cipherSuite: ["nodeBalancerConfigs.update"],
  sslCert: ["nodeBalancerConfigs.update"],
  sslKey: ["nodeBalancerConfigs.update"],
};

export const found: Found = { by: "operation", within: "NodeBalancer" };

export const fixture: CreateFixture<"NodeBalancerConfig"> = async ({ api, world }) => {
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
        { before: { protocol: "http", ...bare }, to: "https", along: first },
      ],
      algorithm: { to: "leastconn" },
      stickiness: { to: "http_cookie" },
      check: [{ to: "connection" }, { to: "http_body", along: { checkBody: "healthy" } }],
      checkInterval: { to: 20 },
      checkTimeout: { to: 10 },
      checkAttempts: { to: 5 },
      checkPath: { to: "/health?deep=1" },
      checkBody: [{ to: "healthy" }, { before: { checkBody: "healthy" }, to: "" }],
      checkPassive: { to: false },
      proxyProtocol: { before: { protocol: "tcp", ...bare }, to: "v2" },
      cipherSuite: { to: "legacy" },
      sslCert: [
        { to: second.sslCert, along: { sslKey: second.sslKey }, read: (id) => row(id).ssl_cert },
        // The API returns only the fingerprint of the first certificate in a chain. Adding a second certificate to the
        // chain does not change this fingerprint, so the value is read from the emulator's table.
        { to: first.sslCert + second.sslCert, read: (id) => row(id).ssl_cert },
      ],
      sslKey: { to: rewritten(first.sslKey), read: (id) => row(id).ssl_key },
    },
    changeUnmanaged: (id) => world.nodeBalancerConfigs.patch(id, {}),
  };
};

/** Values that are equivalent to the default `word`: the word in upper, lower or mixed case, or undefined. */
const usual = (word: string): Arbitrary<unknown> => fc.oneof(cased(word), fc.constant(undefined));

export const equivalentValues: EquivalentValues = ({ nodebalancerId, sslCert, sslKey }) => [
  {
    inputs: { port: 443, protocol: "https", algorithm: "leastconn" },
    equivalent: {
      nodebalancerId: number(nodebalancerId as number),
      port: number(443),
      protocol: cased("https"),
      algorithm: cased("leastconn"),
      stickiness: usual("none"),
      check: usual("none"),
      checkInterval: fc.constantFrom(31, "31", undefined),
      checkTimeout: fc.constantFrom(30, "30", undefined),
      checkAttempts: fc.constantFrom(3, "3", undefined),
      checkPath: fc.constantFrom("", undefined),
      checkBody: fc.constantFrom("", undefined),
      checkPassive: fc.constantFrom(true, undefined),
      proxyProtocol: usual("none"),
      cipherSuite: usual("recommended"),
      sslCert: pem(sslCert as string),
      sslKey: pem(sslKey as string),
    },
  },
  {
    inputs: { port: 80, protocol: "http", sslCert: undefined, sslKey: undefined },
    equivalent: {
      port: fc.constantFrom(80, "80", undefined),
      protocol: usual("http"),
      sslCert: nothing,
      sslKey: nothing,
    },
  },
];

export const exampleEdit: ExampleEdit<"NodeBalancerConfig"> = { algorithm: "source" };

export const templates: Templates = {
  NodeBalancerConfig: {
    needs: { balancer: "NodeBalancer" },
    skip: ["nodebalancerId"],
    inputs: (roles, { nth, edited: value }) => ({
      nodebalancerId: id(roles, "balancer"),
      port: Number(value.port) + nth,
    }),
  },
};
