import { expect } from "vitest";
import { messages, test } from "../cloud";
import { debian, machine } from "../compute/instance";
import { cluster } from "../kubernetes/lke";
import { backend, balancer } from "../load-balancers/balancer";
import { proves } from "../proves";
import { rule } from "./billing";
import { all, HOUR, refusals, taken, transfer } from "./transfers";

test("a transfer offers instances, and the message of its event contains the token", async (one) => {
  proves(rule(8));
  const { send } = one;
  const { id } = await machine(one);
  const { path, ...created } = await transfer(one, id);
  expect(created).toEqual({
    token: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    status: "pending",
    is_sender: true,
    entities: { computes: [id] },
    created: one.world.clock.time(),
    updated: one.world.clock.time(),
    expiry: one.world.clock.time(one.world.clock.now() + 24 * HOUR),
  });
  expect((await send(`GET ${path}`)).body).toEqual(created);
  expect((await send(`GET ${all}/${created.token.toUpperCase()}`)).body).toEqual(created);
  const { data } = (await send("GET /account/events")).body;
  expect(data[0]).toMatchObject({
    action: "entity_transfer_create",
    entity: { label: created.token, type: "entity_transfer", url: `/v4${path}` },
    message: expect.stringContaining(created.token),
  });
});

test("rejects instances of other accounts, duplicates, and instances that are already offered", async (one) => {
  proves(rule(8));
  const { send } = one;
  const { id } = await machine(one);
  expect(await refusals(one, 7, id, 8)).toEqual([
    "entities.computes.0: There is no instance 7",
    "entities.computes.2: There is no instance 8",
  ]);
  expect(await refusals(one, id, id)).toEqual(["entities.computes: Must not list an instance twice"]);
  const nothing = await send(`POST ${all}`, { body: { entities: { volumes: [1] } } });
  expect(messages(nothing).sort()).toEqual([
    "entities.computes: Is required",
    "entities.volumes: Is not a known field",
  ]);
  const { token, path } = await transfer(one, id);
  const reason = `entities.computes.0: Instance ${id} is already part of another transfer`;
  expect(await refusals(one, id)).toEqual([reason]);
  await send(`DELETE ${path}`);
  await taken(one, (await transfer(one, id)).token);
  expect(await refusals(one, id)).toEqual([reason]);
  expect((await send(`GET ${all}/${token}`)).body.status).toBe("cancelled");
});

test("rejects an instance with a running job, also together with idle ones", async (one) => {
  proves(rule(8));
  const idle = await machine(one);
  const { id } = (await one.send("POST /compute/instances", { body: debian })).body;
  expect(await refusals(one, id)).toEqual(["Compute busy."]);
  expect(await refusals(one, idle.id, id)).toEqual(["Compute busy."]);
  one.settle();
  await transfer(one, idle.id, id);
});

test("rejects an instance that other objects refer to", async (one) => {
  proves(rule(8));
  const { send } = one;
  const attached = await machine(one);
  const volume = (await send("POST /volumes", { body: { label: "data", compute_id: attached.id } })).body.id;
  const walled = await machine(one);
  const rules = { inbound_policy: "DROP", outbound_policy: "ACCEPT" };
  const wall = { label: "wall", rules, devices: { computes: [walled.id] } };
  const firewall = (await send("POST /networking/firewalls", { body: wall })).body.id;
  const joined = await machine(one, { ...debian, interfaces: [{ purpose: "vlan", label: "back", ipam_address: "" }] });
  const [config] = await joined.list("configs");
  const watched = await machine(one);
  const [address] = (await watched.view()).ipv4;
  const site = { label: "web", service_type: "url", address: `https://${address}/up`, timeout: 5 };
  const service = (await send("POST /managed/services", { body: site })).body.id;
  await cluster(one, [{ type: "g6-standard-1", count: 1 }]);
  const [node] = one.world.lkeNodes.all();
  const balanced = await backend(one);
  const nb = await balancer(one, { configs: [{ nodes: [{ label: "one", address: balanced.ip }] }] });
  const sharing = await machine(one);
  const [spare] = (await sharing.view()).ipv4;
  await send("POST /networking/ipv4/share", { body: { compute_id: balanced.id, ips: [spare] } });
  const computes = [attached, walled, joined, watched].map(({ id }) => id);
  computes.push(node?.instance_id as number, balanced.id, sharing.id);
  expect(await refusals(one, ...computes)).toEqual([
    `entities.computes.0: Instance ${attached.id} has the volume ${volume}; detach it first`,
    `entities.computes.1: Instance ${walled.id} has the firewall ${firewall}; remove the firewall first`,
    `entities.computes.2: Instance ${joined.id} has a VLAN in its config ${config.id}; remove it first`,
    `entities.computes.3: Instance ${watched.id} is monitored by the managed service ${service}; delete the service first`,
    `entities.computes.4: Instance ${node?.instance_id} is node ${node?.id} of a cluster and cannot be transferred`,
    `entities.computes.5: Instance ${balanced.id} is a backend of the load balancer ${nb.id}; remove the backend first`,
    `entities.computes.6: Instance ${sharing.id} shares ${spare} with instance ${balanced.id}; end the sharing first`,
  ]);
  await send(`POST /volumes/${volume}/detach`);
  await send(`DELETE /networking/firewalls/${firewall}`);
  await transfer(one, attached.id, walled.id);
});
