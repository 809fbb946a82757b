import fc, { type Arbitrary } from "fast-check";
import { expect, test } from "vitest";
import type { KindName } from "../../provider/kinds";
import type { Bag } from "../../provider/resource";
import { expectNoDifference } from "./expectations";
import { certificates } from "./kinds/certificates";
import { address, cased, host, nameIn, network, nothing, number, pem, ports, seconds, setOf, tags } from "./spellings";
import { names, stage } from "./stage";

/** Inputs that show what can be written in several ways, and all those ways, given what the fixture's base states. */
type Writing = { as: Bag; or: { [input: string]: Arbitrary<unknown> } };

const rule = { action: "ACCEPT", protocol: "TCP" };
const nets = { ipv4: ["192.0.2.0/24", "198.51.100.7/32"], ipv6: ["2001:db8::/48", "::1/128"] };
const addresses = fc.record({ ipv4: setOf(nets.ipv4, network), ipv6: setOf(nets.ipv6, network) });
const policies = { inboundPolicy: "DROP", outboundPolicy: "ACCEPT" };
const pool = { type: "g6-standard-1", count: 2, tags: ["main", "web"] };
const scaled = { ...pool, autoscaler: { enabled: true, min: 1, max: 5 } };

const writings: { [K in KindName]: (base: Bag) => Writing[] | Promise<Writing[]> } = {
  Domain: () => [
    {
      as: {
        tags: ["prod", "shop"],
        axfrIps: ["2001:db8::a", "198.51.100.1"],
        ttlSec: 3600,
        retrySec: 300,
        expireSec: 0,
      },
      or: {
        domain: cased("example.org"),
        tags: tags(["prod", "shop"]),
        axfrIps: setOf(["2001:db8::a", "198.51.100.1"], address),
        ttlSec: seconds(3600, "up"),
        retrySec: seconds(300, "up").chain(number),
        expireSec: fc.constantFrom(0, 1209600, undefined),
        refreshSec: fc.constantFrom(0, 14400, undefined),
        status: fc.constantFrom("active", undefined),
      },
    },
  ],
  DomainRecord: ({ domainId }) => [
    {
      as: { type: "AAAA", name: "www", target: "2001:db8::1", ttlSec: 7200 },
      or: {
        domainId: number(domainId as number),
        name: nameIn("example.org", "www"),
        target: address("2001:db8::1"),
        ttlSec: seconds(7200, "nearest"),
        tag: nothing,
        service: nothing,
      },
    },
    { as: { type: "A", name: "" }, or: { name: fc.constantFrom("", "@", "example.org", "Example.org.", undefined) } },
    {
      as: { type: "MX", target: "mail.example.net", priority: 10 },
      or: { target: host("mail.example.net"), priority: number(10) },
    },
    {
      as: {
        type: "SRV",
        name: undefined,
        target: "sip",
        priority: 1,
        weight: 0,
        port: 5060,
        service: "sip",
        protocol: "udp",
      },
      or: {
        name: fc.constantFrom(undefined, "", "anything"),
        target: fc.oneof(cased("sip"), host("sip.example.org")),
        service: fc.constantFrom("sip", "_sip", "_SIP"),
        protocol: fc.constantFrom("udp", "_udp", "UDP"),
      },
    },
  ],
  Firewall: () => [
    {
      as: {
        tags: ["prod", "web"],
        rules: { inbound: [{ ...rule, ports: "22, 80, 8000-8999", addresses: nets }], outbound: [], ...policies },
      },
      or: {
        tags: tags(["prod", "web"]),
        rules: fc.record({
          inbound: fc.tuple(fc.record({ ...constants(rule), ports: ports("22, 80, 8000-8999"), addresses })),
          outbound: fc.constantFrom([], undefined),
          ...constants(policies),
        }),
        status: fc.constantFrom("enabled", undefined),
      },
    },
  ],
  FirewallDevice: ({ firewallId, entityId }) => [
    {
      as: {},
      or: {
        firewallId: number(firewallId as number),
        entityId: number(entityId as number),
        type: fc.constantFrom("compute", undefined),
      },
    },
  ],
  Instance: () => [
    {
      as: {
        tags: ["prod", "web"],
        alerts: { cpu: 50, io: 9000 },
        interfaces: [{ purpose: "public" }, { purpose: "vlan", label: "net", ipamAddress: "10.0.0.1/24" }],
        swapSize: 256,
      },
      or: {
        tags: tags(["prod", "web"]),
        alerts: fc.record({ io: number(9000), cpu: number(50) }),
        interfaces: fc.tuple(
          fc.record({
            purpose: fc.constant("public"),
            label: fc.constantFrom("", null),
            ipamAddress: fc.constantFrom("", null),
          }),
          fc.record(constants({ label: "net", purpose: "vlan", ipamAddress: "10.0.0.1/24" })),
        ),
        swapSize: number(256),
        allowReboot: fc.constantFrom(true, undefined),
      },
    },
  ],
  LkeCluster: () => [
    {
      as: { tags: ["prod", "k8s"], pools: { main: pool, scaled } },
      or: {
        tags: tags(["prod", "k8s"]),
        pools: fc
          .tuple(
            fc.record({
              ...constants(pool),
              count: number(2),
              tags: tags(pool.tags),
            }),
            fc.record({
              ...constants(scaled),
              count: fc.integer({ min: 1, max: 5 }).chain(number),
              tags: tags(pool.tags),
            }),
            fc.boolean(),
          )
          .map(([main, auto, turned]) => (turned ? { scaled: auto, main } : { main, scaled: auto })),
        controlPlane: fc.constantFrom({ highAvailability: false }, undefined),
      },
    },
  ],
  LkeNodePool: ({ clusterId }) => [
    {
      as: pool,
      or: {
        clusterId: number(clusterId as number),
        count: number(2),
        tags: tags(pool.tags),
        disks: fc.constantFrom([], undefined),
      },
    },
    { as: scaled, or: { count: fc.integer({ min: 1, max: 5 }), tags: tags(pool.tags) } },
  ],
  NodeBalancer: () => [
    {
      as: { tags: ["prod", "web"], clientConnThrottle: 0 },
      or: { tags: tags(["prod", "web"]), clientConnThrottle: fc.constantFrom(0, "0", undefined) },
    },
  ],
  NodeBalancerConfig: async ({ nodebalancerId }) => {
    const [pair] = await certificates;
    return [
      {
        as: { port: 443, protocol: "https", algorithm: "leastconn", ...pair },
        or: {
          nodebalancerId: number(nodebalancerId as number),
          port: number(443),
          protocol: cased("https"),
          algorithm: cased("leastconn"),
          stickiness: fc.oneof(cased("none"), fc.constant(undefined)),
          checkInterval: fc.constantFrom(5, "5", undefined),
          checkPassive: fc.constantFrom(true, undefined),
          sslCert: pem(pair.sslCert),
          sslKey: pem(pair.sslKey),
        },
      },
      { as: {}, or: { port: fc.constantFrom(80, "80", undefined), sslCert: nothing, sslKey: nothing } },
    ];
  },
  NodeBalancerNode: ({ nodebalancerId, configId }) => [
    {
      as: { weight: 100, mode: "accept" },
      or: {
        nodebalancerId: number(nodebalancerId as number),
        configId: fc.oneof(number(configId as number), fc.constant(`${nodebalancerId}/${configId}`)),
        weight: fc.constantFrom(100, "100", undefined),
        mode: fc.oneof(cased("accept"), fc.constant(undefined)),
      },
    },
  ],
  Volume: () => [
    {
      as: { size: 20, tags: ["prod", "db1"] },
      or: { size: fc.constantFrom(20, "20", undefined), tags: tags(["prod", "db1"]), computeId: nothing },
    },
  ],
};

const constants = (bag: Bag) =>
  Object.fromEntries(Object.entries(bag).map(([key, value]) => [key, fc.constant(value)]));

test.each(names)("%s: equal values written differently make no difference", { timeout: 180_000 }, async (name) => {
  await using first = await stage(name);
  for (const nth of (await writings[name](first.scene.base)).keys()) {
    await using it = await stage(name);
    const { as, or } = (await writings[name](it.scene.base))[nth] as Writing;
    const before = { ...it.scene.base, ...as };
    await it.managed.up(before);
    const written = fc.record(or).map((inputs): Bag => ({ ...before, ...inputs }));
    const isSame = async (inputs: Bag) => {
      expect((await it.managed.preview(inputs)).op).toBe("same");
    };
    await fc.assert(fc.asyncProperty(written, isSame), { numRuns: 250 });
    // What was written one way is no difference to any other way either, nor to what the API shows.
    const [other] = fc.sample(written, { numRuns: 1, seed: 1 });
    await it.managed.destroy();
    await it.managed.up(other as Bag);
    await expectNoDifference(it, other as Bag);
    await fc.assert(fc.asyncProperty(written, isSame), { numRuns: 50 });
  }
});
