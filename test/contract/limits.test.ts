import { expect } from "vitest";
import { operations } from "../../api";
import { messages, test, testsIn } from "./cloud";
import { create } from "./kubernetes/lke";
import { changed } from "./matrix/bad";
import { freshAccount, type Plan } from "./matrix/plan";
import { plans } from "./matrix/plans";
import { type Input, request } from "./matrix/request";
import { proves } from "./proves";

const of = (part: number, limit: number): string => `part ${part} · Limits · limit ${limit}`;
const long = (length: number): string => "x".repeat(length);

/** Values that are rejected with the same reason. */
interface Rejected {
  reason: string;
  values: readonly unknown[];
}

const because = (reason: string, ...values: unknown[]): Rejected => ({ reason, values });
const below = (min: number): Rejected => because(`Must be at least ${min} characters long`, long(min - 1));
const above = (max: number): Rejected => because(`Must be at most ${max} characters long`, long(max + 1));
const less = (min: number): Rejected => because(`Must be at least ${min}`, min - 1);
const more = (max: number): Rejected => because(`Must be at most ${max}`, max + 1);
const empty = because("Must not be empty", "");

interface Field {
  accepts: readonly unknown[];
  rejects: readonly Rejected[];
}

const upTo = (max: number): Field => ({ accepts: [long(max)], rejects: [above(max)] });
const orEmpty = (max: number): Field => ({ accepts: ["", long(max)], rejects: [above(max)] });
const between = (min: number, max: number, also: Partial<Field> = {}): Field => ({
  accepts: [long(min), long(max), ...(also.accepts ?? [])],
  rejects: [min === 1 ? empty : below(min), above(max), ...(also.rejects ?? [])],
});

const edged =
  "Must start and end with a letter or digit and contain only letters, digits, single dashes, single underscores and single periods";
const domain =
  "Must be a domain name like example.org: labels of at most 63 letters, digits, dashes or underscores each, without a dash at their ends, and a top-level domain";
const zip = "Must contain only letters, digits, spaces and hyphens, and at most 9 letters or digits";
const spaced = "Must contain only letters, digits, spaces, dashes and underscores";
const dotted = "Must contain only letters, digits, spaces, periods, dashes and underscores";
const address = "Must be a URL or a host with or without a port";
const mailbox = "Must have at most 64 characters before the @ and 63 in each part after it";

const label = between(3, 32, {
  accepts: ["with-dash_1"],
  rejects: [because("Must contain only letters, digits, dashes and underscores", "with space")],
});
const throttle = { accepts: [0], rejects: [less(0), more(20)] };
const node = {
  label: between(3, 32, {
    accepts: ["a-b_c.d"],
    rejects: [because("Must contain only letters, digits, dashes, underscores and periods", "a b c")],
  }),
  weight: { accepts: [1, 255], rejects: [less(1), more(255)] },
  mode: { accepts: ["drain"], rejects: [because('Must be "accept", "reject", "drain" or "backup"', "allow", "")] },
};
const cluster = between(1, 32, {
  accepts: ["grün"],
  rejects: [because("Must not contain characters of four bytes in UTF-8, such as emoji", "ship 🚢")],
});

/** The limits of single fields: for each operation, values of its fields that it accepts, and that it rejects. */
const limits: Record<string, Record<string, Record<string, Field>>> = {
  [of(1, 2)]: {
    "instances.create": {
      label: between(3, 32),
      root_pass: {
        accepts: ["a1".repeat(64)],
        rejects: [
          because("Must be at least 7 characters long", "short1"),
          because("Must be at most 128 characters long", `${"a1".repeat(64)}b`),
        ],
      },
    },
    "instances.rebuild": { root_pass: { accepts: ["short 1"], rejects: [] } },
    "instanceConfigs.create": { label: between(1, 48) },
    "instanceBackups.snapshot": { label: { accepts: [long(255)], rejects: [empty, above(255)] } },
  },
  [of(2, 1)]: {
    "managedContacts.create": {
      name: between(2, 64, { accepts: ["Ada L-1_x"], rejects: [because(spaced, "A+B")] }),
      group: between(2, 50),
      email: {
        accepts: [],
        rejects: [because("Must be an email address", "nobody"), because(mailbox, `${long(65)}@example.org`)],
      },
    },
    "managedCredentials.create": {
      label: between(2, 75, { accepts: ["a B.1-_"], rejects: [because(dotted, "a/b")] }),
      username: upTo(5000),
      password: { accepts: ["p"], rejects: [empty] },
    },
    "managedServices.create": {
      label: between(3, 64, { accepts: ["Web 1.x"], rejects: [because(dotted, "a/b")] }),
      body: orEmpty(100),
      consultation_group: orEmpty(50),
      timeout: { accepts: [1, 255], rejects: [less(1), more(255)] },
      service_type: { accepts: [], rejects: [because('Must be "url" or "tcp"', "icmp")] },
      address: {
        accepts: [],
        rejects: [
          below(3),
          because("Must have at least 3 characters before the fragment (#…)", "a#bc"),
          because(address, "not an address", "https://#top", "10.0.0.1:99999"),
        ],
      },
    },
    "managedComputeSettings.update": {
      "ssh.port": { accepts: [1, 65_535], rejects: [less(1), more(65_535)] },
      "ssh.user": orEmpty(32),
    },
  },
  [of(2, 2)]: { "images.update": { description: between(1, 65_000) } },
  "part 2 · Endpoints · Kubernetes · rule 3": {
    "lkeClusters.create": { label: cluster },
    "lkeClusters.update": { label: cluster },
  },
  [of(2, 5)]: { "tags.create": { label: between(3, 50) } },
  [of(3, 1)]: {
    "firewalls.update": {
      label: between(3, 32, { rejects: [because(edged, "-edge", "edge.", "ed--ge", "ed..ge", "ed ge")] }),
    },
  },
  [of(3, 2)]: {
    "nodeBalancers.create": { label, client_conn_throttle: throttle },
    "nodeBalancers.update": { label, client_conn_throttle: { ...throttle, accepts: [20] } },
    "nodeBalancerNodes.create": { ...node, mode: { ...node.mode, accepts: ["reject"] } },
    "nodeBalancerNodes.update": node,
  },
  [of(3, 3)]: {
    "domains.create": {
      domain: {
        accepts: [],
        rejects: [because(domain, "example", `${long(64)}.org`, "exa mple.org", "example.org.")],
      },
    },
  },
  [of(3, 9)]: {
    "account.update": {
      ...{ address_1: upTo(64), address_2: upTo(64), city: upTo(24), company: upTo(128), first_name: upTo(50) },
      ...{ last_name: upTo(50), phone: upTo(32), state: upTo(24), tax_id: upTo(100) },
      country: {
        accepts: ["GB"],
        rejects: [because("Must be a country code of two letters, such as US", "GBR", "G1")],
      },
      email: {
        accepts: [`${"a".repeat(60)}@${"b".repeat(60)}.io`],
        rejects: [
          because("Must be at most 128 characters long", `${"a".repeat(60)}@${"b".repeat(60)}.c${"d".repeat(10)}`),
          because("Must be an email address", "nobody"),
          because(mailbox, `${"a".repeat(65)}@example.org`),
        ],
      },
      zip: {
        accepts: ["19106-1234", "SW1A 1AA", "1-2-3-4-5-6-7-8-9"],
        rejects: [because(zip, "1234567890", "19106_")],
      },
    },
    "oauthClients.create": { label: between(1, 512) },
  },
};

const cases = Object.entries(limits).flatMap(([limit, operations]) =>
  Object.entries(operations).flatMap(([name, fields]) =>
    Object.entries(fields).map(([field, values]) => ({ limit, name, field, ...values })),
  ),
);

testsIn(freshAccount).each(cases)("$limit: $name, $field", async (one, { limit, name, field, accepts, rejects }) => {
  proves(limit);
  const [area, key] = name.split(".") as ["tags", "create"];
  const input: Input = await (plans[area][key] as Plan<never>)(one);
  const send = (value: unknown) =>
    request(one, operations[area][key], { ...input, body: changed(input.body, field.split("."), value) });
  for (const { reason, values } of rejects)
    for (const value of values) expect(messages(await send(value))).toEqual([`${field}: ${reason}`]);
  for (const value of accepts) {
    const { status, body } = await send(value);
    expect([status, body.errors]).toEqual([200, undefined]);
    if (field in body) expect(body[field]).toBe(value);
  }
});

const pool = { type: "g6-standard-1", count: 1 };
const scaled = (min: number, max: number) => ({ ...pool, autoscaler: { enabled: true, min, max } });
const parted = (count: number) => ({ ...pool, disks: Array(count).fill({ size: 100, type: "ext4" }) });

test.each<[string, string | undefined, object]>([
  ["a count of 0", "node_pools.0.count", { node_pools: [{ ...pool, count: 0 }] }],
  ["a count of 100", undefined, { node_pools: [{ ...pool, count: 100 }] }],
  ["a count of 101", "node_pools.0.count", { node_pools: [{ ...pool, count: 101 }] }],
  ["bounds of 1 and 100", undefined, { node_pools: [scaled(1, 100)] }],
  ["a least of 0", "node_pools.0.autoscaler.min", { node_pools: [scaled(0, 3)] }],
  ["a most of 101", "node_pools.0.autoscaler.max", { node_pools: [scaled(1, 101)] }],
  ["7 partitions", undefined, { node_pools: [parted(7)] }],
  ["8 partitions", "node_pools.0.disks", { node_pools: [parted(8)] }],
])("a cluster with %s; rejected field: %s", async (one, _, field, body) => {
  proves(of(2, 4));
  const response = await create(one, body);
  expect([response.status, response.body.errors?.[0].field]).toEqual(field ? [400, field] : [200, undefined]);
});

test("endpoint and kubeconfig are available two to five minutes after the creation", async (one) => {
  proves(of(2, 4));
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

test.each<[string, string | undefined, object]>([
  ["a rule's label of 3", undefined, { inbound: [{ ...rule, label: long(3) }] }],
  ["a rule's label of 2", "rules.inbound.0.label", { inbound: [{ ...rule, label: long(2) }] }],
  ["a rule's label of 33", "rules.inbound.0.label", { inbound: [{ ...rule, label: long(33) }] }],
  ["a description of 100", undefined, { inbound: [{ ...rule, description: long(100) }] }],
  ["a description of 101", "rules.inbound.0.description", { inbound: [{ ...rule, description: long(101) }] }],
  ["an empty description", "rules.inbound.0.description", { inbound: [{ ...rule, description: "" }] }],
])("a firewall with %s; rejected field: %s", async (one, _, field, rules) => {
  proves(of(3, 1));
  const body = { label: "edge", rules: { ...policies, ...rules } };
  const response = await one.send("POST /networking/firewalls", { body });
  expect([response.status, response.body.errors?.[0].field]).toEqual(field ? [400, field] : [200, undefined]);
});

const master = { domain: "example.org", type: "master", soa_email: "admin@example.org" };
const part = long(63);

test.each<[string, string | undefined, object]>([
  ["a name of 253 characters", undefined, { domain: `${part}.${part}.${part}.${long(57)}.org` }],
  ["a name of 256 characters", "domain", { domain: `${part}.${part}.${part}.${long(60)}.org` }],
  ["a label of 64 in its name", "domain", { domain: `${long(64)}.org` }],
  ["a description of 255", undefined, { description: long(255) }],
  ["a description of 256", "description", { description: long(256) }],
  ["a group of 50", undefined, { group: long(50) }],
  ["a group of 51", "group", { group: long(51) }],
])("a domain with %s; rejected field: %s", async (one, _, field, body) => {
  proves(of(3, 3));
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
])("a record with %s; rejected field: %s", async (one, _, field, body) => {
  proves(of(3, 3));
  const { id } = (await one.send("POST /domains", { body: master })).body;
  const response = await one.send(`POST /domains/${id}/records`, { body: { ...srv, ...body } });
  expect([response.status, response.body.errors?.[0].field]).toEqual(field ? [400, field] : [200, undefined]);
});
