import { expect, test } from "vitest";
import type { New, RowOf } from "../../../emulator/core/store";
import { type Cloud, cloud, restricted } from "../cloud";
import { proves } from "../proves";

const rule = (number: number): string => `part 3 · Endpoints · Firewalls · rule ${number}`;
const policies = { inbound_policy: "DROP", outbound_policy: "ACCEPT" };
const ssh = { action: "ACCEPT", protocol: "TCP", addresses: { ipv4: ["192.0.2.0/24"] }, ports: "22" };

/** Inserts an instance into the emulator's table, which is faster than creating it by the API. */
const instance = ({ world }: Cloud, label = "web"): number =>
  world.instances.insert({ label } as New<RowOf<"instances">>).id;

const create = ({ send }: Cloud, body: object = {}, token?: string) =>
  send("POST /networking/firewalls", { body: { label: "edge", rules: policies, ...body }, ...(token && { token }) });

const history = ({ world }: Cloud): string[] => world.events.recent().map(({ action }) => action);

/** The errors of a response as texts, such as `label: Label must be unique`. */
const complaints = ({ body }: { body: { errors: { field?: string; reason: string }[] } }): string[] =>
  body.errors.map(({ field, reason }) => (field ? `${field}: ${reason}` : reason));

test("creates, views, lists, updates and deletes a firewall", async () => {
  await using one = await cloud();
  const { send } = one;
  const created = await create(one, { rules: { ...policies, inbound: [ssh] }, tags: ["prod"] });
  expect(created).toMatchObject({
    status: 200,
    body: { label: "edge", status: "enabled", tags: ["prod"], rules: { ...policies, inbound: [ssh], outbound: [] } },
  });
  const path = `/networking/firewalls/${created.body.id}` as const;
  expect((await send(`GET ${path}`)).body).toEqual(created.body);
  expect((await send(`PUT ${path}`, { body: { label: "core" } })).body).toMatchObject({
    label: "core",
    tags: ["prod"],
  });
  expect((await send("GET /networking/firewalls", { filter: { label: "core" } })).body.results).toBe(1);
  expect(await send(`DELETE ${path}`)).toMatchObject({ status: 200, body: {} });
  expect((await send(`DELETE ${path}`)).status).toBe(404);
  expect(history(one)).toEqual(["firewall_delete", "firewall_update", "firewall_create"]);
});

test("a create requires both policies, and rules accept or drop", async () => {
  proves(rule(1));
  await using one = await cloud();
  const rules = { inbound: [{ ...ssh, action: "REJECT" }] };
  expect((await create(one, { rules })).body.errors).toMatchObject([
    { field: "rules.inbound.0.action", reason: 'Must be "ACCEPT" or "DROP"' },
    { field: "rules.inbound_policy" },
    { field: "rules.outbound_policy" },
  ]);
});

test("an instance has at most one active firewall, and any number of disabled ones", async () => {
  proves(rule(2));
  await using one = await cloud();
  const { send } = one;
  const [web, db] = [instance(one), instance(one, "db")];
  const first = (await create(one, { devices: { computes: [web, db] } })).body.id;
  const reason = (id: number) => `Instance ${id} already has the active firewall ${first}, and can have only one`;
  expect(complaints(await create(one, { label: "spare", devices: { computes: [web, db, 7] } }))).toEqual([
    `devices.computes.0: ${reason(web)}`,
    `devices.computes.1: ${reason(db)}`,
    "devices.computes.2: There is no instance 7",
  ]);
  const spare = `/networking/firewalls/${(await create(one, { label: "spare" })).body.id}` as const;
  const assign = () => send(`POST ${spare}/devices`, { body: { type: "compute", id: web } });
  expect(complaints(await assign())).toEqual([`id: ${reason(web)}`]);
  expect((await send(`PUT ${spare}`, { body: { status: "disabled" } })).body.status).toBe("disabled");
  expect((await assign()).status).toBe(200);
  expect(complaints(await send(`PUT ${spare}`, { body: { status: "enabled" } }))).toEqual([`status: ${reason(web)}`]);
  await send(`PUT /networking/firewalls/${first}`, { body: { status: "disabled" } });
  expect((await send(`PUT ${spare}`, { body: { status: "enabled" } })).body.status).toBe("enabled");
});

test("a change of the status writes an event of its own", async () => {
  proves("part 3 · States · Firewall");
  await using one = await cloud();
  const path = `/networking/firewalls/${(await create(one)).body.id}` as const;
  const seen = async (body: object): Promise<string[]> => {
    const before = history(one).length;
    expect((await one.send(`PUT ${path}`, { body })).status).toBe(200);
    return history(one).slice(0, -before);
  };
  expect(await seen({ status: "disabled" })).toEqual(["firewall_disable"]);
  expect(await seen({ status: "enabled", label: "core" })).toEqual(["firewall_enable", "firewall_update"]);
  expect(await seen({ status: "enabled" })).toEqual(["firewall_update"]);
  expect(complaints(await one.send(`PUT ${path}`, { body: { status: "deleted" } }))).toEqual([
    'status: Must be "enabled" or "disabled"',
  ]);
});

test("assigning in a create requires read_write on the instance", async () => {
  proves(rule(3));
  await using one = await cloud();
  const [own, seen, hidden] = [instance(one), instance(one), instance(one)];
  const entities = { compute: { [own]: "read_write", [seen]: "read_only" } };
  const token = await restricted(one, { entities, global: { add_firewalls: true } });
  const on = (id: number) => create(one, { devices: { computes: [id] } }, token);
  expect((await on(seen)).status).toBe(403);
  expect(complaints(await on(hidden))).toEqual([`devices.computes.0: There is no instance ${hidden}`]);
  const created = await on(own);
  expect(
    (await one.send(`PUT /networking/firewalls/${created.body.id}`, { body: { label: "mine" }, token })).status,
  ).toBe(200);
});

test("an update keeps rules and devices, and a rules update replaces only the given lists", async () => {
  proves(rule(4));
  await using one = await cloud();
  const { send } = one;
  const path =
    `/networking/firewalls/${(await create(one, { rules: { ...policies, inbound: [ssh] } })).body.id}` as const;
  expect(complaints(await send(`PUT ${path}`, { body: { rules: {}, devices: {} } }))).toEqual([
    "rules: Is read-only: omit it or send it unchanged",
    "devices: Is not a known field",
  ]);
  const ping = { action: "DROP", protocol: "ICMP", addresses: { ipv6: ["::/0"] }, label: "no-ping" };
  const changed = await send(`PUT ${path}/rules`, { body: { outbound: [ping] } });
  expect(changed.body).toEqual({ ...policies, inbound: [ssh], outbound: [ping] });
  await send(`PUT ${path}/rules`, { body: { inbound: [], inbound_policy: "ACCEPT" } });
  const rules = { inbound: [], inbound_policy: "ACCEPT", outbound: [ping], outbound_policy: "ACCEPT" };
  expect((await send(`GET ${path}/rules`)).body).toEqual(rules);
  expect((await send(`GET ${path}`)).body.rules).toEqual(rules);
  expect(history(one)).toEqual(["firewall_update", "firewall_update", "firewall_create"]);
});

test("deleting a firewall removes it from its instances, and keeps other firewalls", async () => {
  proves(rule(5));
  await using one = await cloud();
  const { send, world } = one;
  const web = instance(one);
  const spare = (await create(one, { label: "spare" })).body.id;
  await send(`PUT /networking/firewalls/${spare}`, { body: { status: "disabled" } });
  await send(`POST /networking/firewalls/${spare}/devices`, { body: { type: "compute", id: web } });
  const edge = (await create(one, { devices: { computes: [web] } })).body.id;
  await send(`DELETE /networking/firewalls/${edge}`);
  expect(world.firewallDevices.by("compute_id", web).map(({ firewall_id }) => firewall_id)).toEqual([spare]);
  expect((await create(one, { devices: { computes: [web] } })).status).toBe(200);
});

test("rejects more than 25 rules in total and more than 255 addresses in a rule", async () => {
  proves(rule(6));
  await using one = await cloud();
  const many = (count: number) => Array<object>(count).fill(ssh);
  const created = await create(one, { rules: { ...policies, inbound: many(20), outbound: many(5) } });
  expect(created.status).toBe(200);
  const path = `/networking/firewalls/${created.body.id}/rules` as const;
  expect(complaints(await one.send(`PUT ${path}`, { body: { outbound: many(6) } }))).toEqual([
    "outbound: Must have at most 25 rules, inbound and outbound together: there are 20 inbound and 6 outbound",
  ]);
  expect((await one.send(`PUT ${path}`, { body: { inbound: many(1), outbound: many(24) } })).status).toBe(200);

  const wide = (count: number) => ({
    ...ssh,
    addresses: { ipv4: Array.from({ length: count }, (_, at) => `192.0.2.${at}/32`), ipv6: ["::/0"] },
  });
  expect((await one.send(`PUT ${path}`, { body: { inbound: [wide(254)] } })).status).toBe(200);
  expect(complaints(await one.send(`PUT ${path}`, { body: { inbound: [wide(255)] } }))).toEqual([
    "inbound.0.addresses: Must have at most 255 addresses and networks, IPv4 and IPv6 together: there are 256",
  ]);
});

test.each([
  ["TCP", "80", true],
  ["UDP", "1-65535", true],
  ["TCP", "22, 80,8000-8999", true],
  ["TCP", Array.from({ length: 15 }, (_, at) => at + 1).join(), true],
  ["TCP", "1-2,3-4,5-6,7-8,9-10,11-12,13-14,15", true],
  ["TCP", "1-2,3-4,5-6,7-8,9-10,11-12,13-14,15-16", false],
  ["TCP", "080", false],
  ["TCP", "0", false],
  ["TCP", "65536", false],
  ["TCP", "9-9", false],
  ["TCP", "80,  443", false],
  ["TCP", undefined, false],
  ["UDP", "", false],
  ["ICMP", undefined, true],
  ["ICMP", "80", false],
])("%s with ports %j: %s", async (protocol, ports, fine) => {
  proves(rule(7));
  await using one = await cloud();
  const response = await create(one, { rules: { ...policies, outbound: [{ ...ssh, protocol, ports }] } });
  expect(response.status).toBe(fine ? 200 : 400);
  if (!fine) expect(response.body.errors).toMatchObject([{ field: "rules.outbound.0.ports" }]);
});

test("part 3 · Resources · Firewall: returns addresses and ports in canonical form", async () => {
  await using one = await cloud();
  const addresses = { ipv4: ["192.0.2.7", "198.51.100.9/24"], ipv6: ["2001:0DB8:0:0::/32", "2001:db8::0001"] };
  const created = await create(one, { rules: { ...policies, inbound: [{ ...ssh, addresses, ports: "443,80" }] } });
  expect(created.body.rules.inbound[0]).toMatchObject({
    addresses: { ipv4: ["192.0.2.7/32", "198.51.100.0/24"], ipv6: ["2001:db8::/32", "2001:db8::1/128"] },
    ports: "80, 443",
  });
  const wrong = { ...ssh, addresses: { ipv4: ["2001:db8::/32"], ipv6: ["192.0.2.0/33"] } };
  expect((await create(one, { label: "odd", rules: { ...policies, inbound: [wrong] } })).body.errors).toMatchObject([
    { field: "rules.inbound.0.addresses.ipv4.0" },
    { field: "rules.inbound.0.addresses.ipv6.0" },
  ]);
});

test.each(["ab", "a".repeat(33), "-edge", "edge.", "ed--ge", "ed..ge", "ed ge"])(
  "rejects the label %j",
  async (label) => {
    proves("part 3 · Limits · limit 1");
    await using one = await cloud();
    expect((await create(one, { label })).body.errors).toMatchObject([{ field: "label" }]);
  },
);

test("labels are unique in the account", async () => {
  await using one = await cloud();
  const { id } = (await create(one)).body;
  expect(complaints(await create(one))).toEqual(["label: Label must be unique"]);
  expect((await one.send(`PUT /networking/firewalls/${id}`, { body: { label: "edge" } })).status).toBe(200);
});

test("null for a list of rules is an empty list", async () => {
  await using one = await cloud();
  const rules = { inbound: [], inbound_policy: "DROP", outbound: null, outbound_policy: "ACCEPT" };
  const created = await one.send("POST /networking/firewalls", { body: { label: "edge", rules } });
  expect(created).toMatchObject({ status: 200, body: { rules: { inbound: [], outbound: [] } } });
});
