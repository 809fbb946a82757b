import { expect, test } from "vitest";
import { cloud } from "./cloud";
import { create } from "./kubernetes/lke";
import { proves } from "./proves";

const of = (part: number, limit: number): string => `part ${part} · Limits · limit ${limit}`;
const long = (length: number): string => "x".repeat(length);

const pool = { type: "g6-standard-1", count: 1 };
const scaled = (min: number, max: number) => ({ ...pool, autoscaler: { enabled: true, min, max } });
const parted = (count: number) => ({ ...pool, disks: Array(count).fill({ size: 100, type: "ext4" }) });

test.each<[string, string | undefined, object]>([
  ["a label of 32 characters", undefined, { label: long(32) }],
  ["a label of 33 characters", "label", { label: long(33) }],
  ["a label of none", "label", { label: "" }],
  ["a count of 0", "node_pools.0.count", { node_pools: [{ ...pool, count: 0 }] }],
  ["a count of 100", undefined, { node_pools: [{ ...pool, count: 100 }] }],
  ["a count of 101", "node_pools.0.count", { node_pools: [{ ...pool, count: 101 }] }],
  ["bounds of 1 and 100", undefined, { node_pools: [scaled(1, 100)] }],
  ["a least of 0", "node_pools.0.autoscaler.min", { node_pools: [scaled(0, 3)] }],
  ["a most of 101", "node_pools.0.autoscaler.max", { node_pools: [scaled(1, 101)] }],
  ["7 partitions", undefined, { node_pools: [parted(7)] }],
  ["8 partitions", "node_pools.0.disks", { node_pools: [parted(8)] }],
])("a cluster with %s; rejected field: %s", async (_, field, body) => {
  proves(of(2, 4));
  await using one = await cloud();
  const response = await create(one, body);
  expect([response.status, response.body.errors?.[0].field]).toEqual(field ? [400, field] : [200, undefined]);
});

test("endpoint and kubeconfig are available two to five minutes after the creation", async () => {
  proves(of(2, 4));
  await using one = await cloud();
  const path = `/lke/clusters/${(await create(one, { node_pools: [pool] })).body.id}` as const;
  const ready = async (): Promise<boolean[]> =>
    Promise.all(
      (["api-endpoints", "kubeconfig"] as const).map(async (what) => {
        const { status } = await one.send(`GET ${path}/${what}`);
        expect([200, 503]).toContain(status);
        return status === 200;
      }),
    );
  one.advance(2 * 60_000 - 1);
  expect(await ready()).toEqual([false, false]);
  one.advance(3 * 60_000 + 1);
  expect(await ready()).toEqual([true, true]);
});

const policies = { inbound_policy: "DROP", outbound_policy: "ACCEPT" };
const rule = { action: "ACCEPT", protocol: "TCP", ports: "80", addresses: { ipv4: ["192.0.2.1/32"] } };
const addresses = (count: number): string[] => Array.from({ length: count }, (_, at) => `192.0.2.${at}/32`);

test.each<[string, string | undefined, object]>([
  ["25 rules", undefined, { inbound: Array(13).fill(rule), outbound: Array(12).fill(rule) }],
  ["26 rules", "rules.outbound", { inbound: Array(13).fill(rule), outbound: Array(13).fill(rule) }],
  ["255 addresses", undefined, { inbound: [{ ...rule, addresses: { ipv4: addresses(254), ipv6: ["::/0"] } }] }],
  [
    "256 addresses",
    "rules.inbound.0.addresses",
    { inbound: [{ ...rule, addresses: { ipv4: addresses(255), ipv6: ["::/0"] } }] },
  ],
  ["a rule's label of 3", undefined, { inbound: [{ ...rule, label: long(3) }] }],
  ["a rule's label of 2", "rules.inbound.0.label", { inbound: [{ ...rule, label: long(2) }] }],
  ["a rule's label of 33", "rules.inbound.0.label", { inbound: [{ ...rule, label: long(33) }] }],
  ["a description of 100", undefined, { inbound: [{ ...rule, description: long(100) }] }],
  ["a description of 101", "rules.inbound.0.description", { inbound: [{ ...rule, description: long(101) }] }],
  ["an empty description", "rules.inbound.0.description", { inbound: [{ ...rule, description: "" }] }],
])("a firewall with %s; rejected field: %s", async (_, field, rules) => {
  proves(of(3, 1));
  await using one = await cloud();
  const body = { label: "edge", rules: { ...policies, ...rules } };
  const response = await one.send("POST /networking/firewalls", { body });
  expect([response.status, response.body.errors?.[0].field]).toEqual(field ? [400, field] : [200, undefined]);
});

const master = { domain: "example.org", type: "master", soa_email: "admin@example.org" };
const label = long(63);

test.each<[string, string | undefined, object]>([
  ["a name of 253 characters", undefined, { domain: `${label}.${label}.${label}.${long(57)}.org` }],
  ["a name of 256 characters", "domain", { domain: `${label}.${label}.${label}.${long(60)}.org` }],
  ["a label of 64 in its name", "domain", { domain: `${long(64)}.org` }],
  ["a description of 255", undefined, { description: long(255) }],
  ["a description of 256", "description", { description: long(256) }],
  ["a group of 50", undefined, { group: long(50) }],
  ["a group of 51", "group", { group: long(51) }],
])("a domain with %s; rejected field: %s", async (_, field, body) => {
  proves(of(3, 3));
  await using one = await cloud();
  const response = await one.send("POST /domains", { body: { ...master, ...body } });
  expect([response.status, response.body.errors?.[0].field]).toEqual(field ? [400, field] : [200, undefined]);
});

const srv = { type: "SRV", service: "sip", target: "sip", priority: 0, weight: 0, port: 0 };
const max = { priority: 255, weight: 65_535, port: 65_535 };

test.each<[string, string | undefined, object]>([
  ["the least numbers", undefined, {}],
  ["the greatest numbers", undefined, max],
  ["a priority of 256", "priority", { priority: 256 }],
  ["a weight of 65,536", "weight", { weight: 65_536 }],
  ["a port of 65,536", "port", { port: 65_536 }],
  ["a negative port", "port", { port: -1 }],
  ["a name of 101 characters", "name", { name: `${long(50)}.${long(50)}` }],
])("a record with %s; rejected field: %s", async (_, field, body) => {
  proves(of(3, 3));
  await using one = await cloud();
  const { id } = (await one.send("POST /domains", { body: master })).body;
  const response = await one.send(`POST /domains/${id}/records`, { body: { ...srv, ...body } });
  expect([response.status, response.body.errors?.[0].field]).toEqual(field ? [400, field] : [200, undefined]);
});
