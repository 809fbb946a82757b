import { expect } from "vitest";
import type { New, RowOf } from "../../../emulator/core/store";
import { type Cloud, messages, restricted, test } from "../cloud";
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

test("creates, views, lists, updates and deletes a firewall", async (one) => {
  const { send } = one;
  const created = await create(one, { rules: { ...policies, inbound: [ssh] }, tags: ["prod"] });
  expect(created).toMatchObject({
    status: 200,
    body: { label: "edge", status: "enabled", tags: ["prod"], rules: { ...policies, inbound: [ssh], outbound: [] } },
  });
  const path = `/networking/firewalls/${created.body.id}` as const;
  expect((await send(`GET ${path}`)).body).toEqual(created.body);
  const changed = await send(`PUT ${path}`, { body: { label: "core" } });
  expect(changed.body).toMatchObject({ label: "core", tags: ["prod"] });
  expect((await send("GET /networking/firewalls", { filter: { label: "core" } })).body.results).toBe(1);
  expect(await send(`DELETE ${path}`)).toMatchObject({ status: 200, body: {} });
});

test("a create requires both policies, and rules accept or drop", async (one) => {
  proves(rule(1));
  const rules = { inbound: [{ ...ssh, action: "REJECT" }] };
  expect((await create(one, { rules })).body.errors).toMatchObject([
    { field: "rules.inbound.0.action", reason: 'Must be "ACCEPT" or "DROP"' },
    { field: "rules.inbound_policy" },
    { field: "rules.outbound_policy" },
  ]);
});

test("an instance has at most one active firewall, and any number of disabled ones", async (one) => {
  proves(rule(2));
  const { send } = one;
  const [web, db] = [instance(one), instance(one, "db")];
  const first = (await create(one, { devices: { computes: [web, db] } })).body.id;
  const reason = (id: number) => `Instance ${id} already has the active firewall ${first}, and can have only one`;
  expect(messages(await create(one, { label: "spare", devices: { computes: [web, db, 7] } }))).toEqual([
    `devices.computes.0: ${reason(web)}`,
    `devices.computes.1: ${reason(db)}`,
    "devices.computes.2: There is no instance 7",
  ]);
  const spare = `/networking/firewalls/${(await create(one, { label: "spare" })).body.id}` as const;
  const assign = () => send(`POST ${spare}/devices`, { body: { type: "compute", id: web } });
  expect(messages(await assign())).toEqual([`id: ${reason(web)}`]);
  expect((await send(`PUT ${spare}`, { body: { status: "disabled" } })).body.status).toBe("disabled");
  expect((await assign()).status).toBe(200);
  expect(messages(await send(`PUT ${spare}`, { body: { status: "enabled" } }))).toEqual([`status: ${reason(web)}`]);
  await send(`PUT /networking/firewalls/${first}`, { body: { status: "disabled" } });
  expect((await send(`PUT ${spare}`, { body: { status: "enabled" } })).body.status).toBe("enabled");
});

test("a disabled firewall of an instance with an active one can be renamed", async (one) => {
  proves(rule(2));
  const web = instance(one);
  await create(one, { devices: { computes: [web] } });
  const path = `/networking/firewalls/${(await create(one, { label: "spare" })).body.id}` as const;
  await one.send(`PUT ${path}`, { body: { status: "disabled" } });
  await one.send(`POST ${path}/devices`, { body: { type: "compute", id: web } });
  const renamed = await one.send(`PUT ${path}`, { body: { label: "backup", status: "disabled" } });
  expect(renamed).toMatchObject({ status: 200, body: { label: "backup", status: "disabled" } });
});

test("a change of the status writes an event of its own", async (one) => {
  proves("part 3 · States · Firewall");
  const path = `/networking/firewalls/${(await create(one)).body.id}` as const;
  const seen = async (body: object): Promise<string[]> => {
    const before = history(one).length;
    expect((await one.send(`PUT ${path}`, { body })).status).toBe(200);
    return history(one).slice(0, -before);
  };
  expect(await seen({ status: "disabled" })).toEqual(["firewall_disable"]);
  expect(await seen({ status: "enabled", label: "core" })).toEqual(["firewall_enable", "firewall_update"]);
  expect(await seen({ status: "enabled" })).toEqual(["firewall_update"]);
  expect(messages(await one.send(`PUT ${path}`, { body: { status: "deleted" } }))).toEqual([
    'status: Must be "enabled" or "disabled"',
  ]);
});

test("assigning in a create requires read_write on the instance", async (one) => {
  proves(rule(3));
  const [own, seen, hidden] = [instance(one), instance(one), instance(one)];
  const entities = { compute: { [own]: "read_write", [seen]: "read_only" } };
  const token = await restricted(one, { entities, global: { add_firewalls: true } });
  const on = (id: number) => create(one, { devices: { computes: [id] } }, token);
  expect((await on(seen)).status).toBe(403);
  expect(messages(await on(hidden))).toEqual([`devices.computes.0: There is no instance ${hidden}`]);
  expect((await on(own)).status).toBe(200);
});

test("an update keeps rules and devices, and a rules update replaces only the given lists", async (one) => {
  proves(rule(4));
  const { send } = one;
  const { id } = (await create(one, { rules: { ...policies, inbound: [ssh] } })).body;
  const path = `/networking/firewalls/${id}` as const;
  expect(messages(await send(`PUT ${path}`, { body: { rules: {}, devices: {} } }))).toEqual([
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
});

test("null instead of a list of rules removes the rules", async (one) => {
  proves(rule(4));
  const { id } = (await create(one, { rules: { ...policies, inbound: [ssh], outbound: [ssh] } })).body;
  const path = `/networking/firewalls/${id}/rules` as const;
  const changed = await one.send(`PUT ${path}`, { body: { inbound: null, inbound_policy: null } });
  expect(changed.body).toEqual({ ...policies, inbound: [], outbound: [ssh] });
  await one.send(`PUT ${path}`, { body: { outbound: null } });
  expect((await one.send(`GET ${path}`)).body).toEqual({ ...policies, inbound: [], outbound: [] });
});

test("deleting a firewall removes it from its instances, and keeps other firewalls", async (one) => {
  proves(rule(5));
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

test("rejects more than 25 rules in total and more than 255 addresses in a rule", async (one) => {
  proves(rule(6), "part 3 · Limits · limit 1");
  const many = (count: number) => Array<object>(count).fill(ssh);
  const created = await create(one, { rules: { ...policies, inbound: many(20), outbound: many(5) } });
  expect(created.status).toBe(200);
  const path = `/networking/firewalls/${created.body.id}/rules` as const;
  expect(messages(await one.send(`PUT ${path}`, { body: { outbound: many(6) } }))).toEqual([
    "outbound: Must have at most 25 rules, inbound and outbound together: there are 20 inbound and 6 outbound",
  ]);
  expect((await one.send(`PUT ${path}`, { body: { inbound: many(1), outbound: many(24) } })).status).toBe(200);

  const ipv4 = (count: number) => Array.from({ length: count }, (_, at) => `192.0.2.${at}/32`);
  const wide = (count: number) => ({ ...ssh, addresses: { ipv4: ipv4(count), ipv6: ["::/0"] } });
  expect((await one.send(`PUT ${path}`, { body: { inbound: [wide(254)] } })).status).toBe(200);
  expect(messages(await one.send(`PUT ${path}`, { body: { inbound: [wide(255)] } }))).toEqual([
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
])("%s with ports %j: %s", async (one, protocol, ports, fine) => {
  proves(rule(7));
  const response = await create(one, { rules: { ...policies, outbound: [{ ...ssh, protocol, ports }] } });
  expect(response.status).toBe(fine ? 200 : 400);
  if (!fine) expect(response.body.errors).toMatchObject([{ field: "rules.outbound.0.ports" }]);
});

test("part 3 · Resources · Firewall: returns addresses and ports in canonical form", async (one) => {
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

test("labels are unique in the account", async (one) => {
  const { id } = (await create(one)).body;
  expect(messages(await create(one))).toEqual(["label: Label must be unique"]);
  expect((await one.send(`PUT /networking/firewalls/${id}`, { body: { label: "edge" } })).status).toBe(200);
});
