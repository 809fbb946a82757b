import { expect, test } from "vitest";
import { type Cloud, cloud, restricted } from "../cloud";
import { debian, history, machine, told } from "../compute/instance";
import { proves } from "../proves";

const rule = (number: number): string => `part 3 · Endpoints · Account and billing · rule ${number}`;
const HOUR = 3600 * 1000;
const all = "/account/entity-transfers";

/** A transfer, and its path. */
interface Made {
  token: string;
  path: `/${string}`;
  entities: { computes: number[] };
  [field: string]: unknown;
}

async function transfer({ send }: Cloud, ...computes: number[]): Promise<Made> {
  const made = await send(`POST ${all}`, { body: { entities: { computes } } });
  expect(made.body.errors).toBeUndefined();
  return { ...made.body, path: `${all}/${made.body.token}` as const };
}

/** Another account offers instances to this one. */
async function gift({ send }: Cloud, ...computes: object[]): Promise<Made> {
  const made = await send("POST /_emulator/transfers", { body: { computes } });
  expect(made.body.errors).toBeUndefined();
  return { ...made.body, path: `${all}/${made.body.token}` as const };
}

/** Another account accepts a transfer of this one. */
const taken = ({ send }: Cloud, token: string) => send("POST /_emulator/transfers/accept", { body: { token } });

const refusals = async ({ send }: Cloud, ...computes: number[]): Promise<string[]> => {
  const refused = await send(`POST ${all}`, { body: { entities: { computes } } });
  expect(refused.status).toBe(400);
  return told(refused);
};

test("creating a transfer offers instances, and a message carries its token", async () => {
  proves(rule(8));
  await using one = await cloud();
  const { send } = one;
  const { id } = await machine(one);
  const { path, ...made } = await transfer(one, id);
  expect(made).toEqual({
    token: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    status: "pending",
    is_sender: true,
    entities: { computes: [id] },
    created: one.world.clock.time(),
    updated: one.world.clock.time(),
    expiry: one.world.clock.time(one.world.clock.now() + 24 * HOUR),
  });
  expect((await send(`GET ${path}`)).body).toEqual(made);
  expect((await send(`GET ${all}/${made.token.toUpperCase()}`)).body).toEqual(made);
  const { data } = (await send("GET /account/events")).body;
  expect(data[0]).toMatchObject({
    action: "entity_transfer_create",
    entity: { label: made.token, type: "entity_transfer", url: `/v4${path}` },
    message: expect.stringContaining(made.token),
  });
});

test("on acceptance the instances leave within three hours, with all that is their own", async () => {
  proves(rule(8));
  await using one = await cloud();
  const { send } = one;
  const first = await machine(one, { ...debian, backups_enabled: true, private_ip: true });
  const second = await machine(one);
  await first.ask("POST /backups", { label: "kept" });
  const { path, token } = await transfer(one, first.id, second.id);
  await send(`PUT /managed/compute-settings/${first.id}`, { body: { ssh: { port: 2222 } } });
  expect((await taken(one, token)).body.status).toBe("accepted");
  expect((await send(`GET ${path}`)).body.status).toBe("accepted");
  expect((await send(`GET ${first.path}`)).status).toBe(200);
  one.advance(3 * HOUR);
  expect((await send(`GET ${path}`)).body).toMatchObject({
    status: "completed",
    entities: { computes: [first.id, second.id] },
  });
  for (const { path } of [first, second]) expect((await send(`GET ${path}`)).status).toBe(404);
  const { disks, instanceConfigs, instanceBackups, addresses, managedComputeSettings, jobs } = one.world;
  for (const { size } of [disks, instanceConfigs, instanceBackups, addresses, managedComputeSettings, jobs.table])
    expect(size).toBe(0);
  expect(history(one).slice(-2)).toEqual(["entity_transfer_create notification", "entity_transfer_accept finished"]);
  expect((await send("GET /account/events")).body.data[0].username).toBe("");
});

test("DNS records of transferred instances stay", async () => {
  proves(rule(8));
  await using one = await cloud();
  const { send } = one;
  const { id, view } = await machine(one);
  const [target] = (await view()).ipv4;
  const domain = { domain: "example.org", type: "master", soa_email: "me@example.org" };
  const { id: domainId } = (await send("POST /domains", { body: domain })).body;
  await send(`POST /domains/${domainId}/records`, { body: { type: "A", name: "www", target } });
  await taken(one, (await transfer(one, id)).token);
  one.settle();
  expect(one.world.instances.size).toBe(0);
  expect((await send(`GET /domains/${domainId}/records`)).body.data).toMatchObject([{ type: "A", target }]);
});

test("what another account offers becomes this one's, its backup and its id included", async () => {
  proves(rule(8));
  await using one = await cloud();
  const { send } = one;
  await machine(one, { ...debian, label: "web" });
  const offer = await gift(
    one,
    { label: "web", region: "eu-west", type: "g6-standard-2", backups_enabled: true },
    { image: null },
  );
  const [web, empty] = offer.entities.computes;
  expect(offer).toMatchObject({ status: "pending", is_sender: false });
  expect((await send(`GET /compute/instances/${web}`)).status).toBe(404);
  expect(await send(`POST ${offer.path}/accept`)).toMatchObject({ status: 200, body: {} });
  expect((await send(`GET ${offer.path}`)).body.status).toBe("accepted");
  one.advance(20 * 60 * 1000 - 1);
  expect((await send(`GET ${offer.path}`)).body.status).toBe("accepted");
  one.advance(1);
  expect((await send(`GET ${offer.path}`)).body.status).toBe("completed");
  const seen = (await send(`GET /compute/instances/${web}`)).body;
  expect(seen).toMatchObject({
    label: "web-2",
    region: "eu-west",
    type: "g6-standard-2",
    status: "running",
    image: "compute/debian11",
    backups: { enabled: true },
  });
  expect((await send(`GET /compute/instances/${web}/disks`)).body.results).toBe(2);
  expect((await send(`GET /compute/instances/${web}/configs`)).body.results).toBe(1);
  expect((await send(`GET /compute/instances/${web}/backups`)).body.automatic).toMatchObject([
    { status: "successful" },
  ]);
  expect((await send(`GET /compute/instances/${empty}`)).body).toMatchObject({ status: "offline", image: null });
  expect((await send(`POST /compute/instances/${web}/reboot`)).status).toBe(200);
  const [, event] = one.world.events.recent();
  expect(event).toMatchObject({ action: "entity_transfer_accept", status: "finished", username: "emulator" });
});

test("the list shows what was made or accepted; an offer is seen by its token", async () => {
  proves(rule(8));
  await using one = await cloud();
  const { send } = one;
  const { id } = await machine(one);
  const mine = await transfer(one, id);
  const offer = await gift(one, {});
  const tokens = async (filter?: object) =>
    (await send(`GET ${all}`, filter && { filter })).body.data.map(({ token }: { token: string }) => token);
  expect(await tokens()).toEqual([mine.token]);
  expect((await send(`GET ${offer.path}`)).status).toBe(200);
  await send(`POST ${offer.path}/accept`);
  expect(await tokens()).toEqual([mine.token, offer.token]);
  expect(await tokens({ is_sender: false })).toEqual([offer.token]);
  expect(await tokens({ status: "pending" })).toEqual([mine.token]);
});

test("an offer that nobody accepts in 24 hours is stale", async () => {
  proves(rule(8));
  await using one = await cloud();
  const { send } = one;
  const { id } = await machine(one);
  const { path, token } = await transfer(one, id);
  const offer = await gift(one, {});
  one.advance(24 * HOUR - 1);
  expect((await send(`GET ${path}`)).body.status).toBe("pending");
  one.advance(1);
  expect((await send(`GET ${path}`)).body.status).toBe("stale");
  expect(history(one).slice(-1)).toEqual(["entity_transfer_stale notification"]);
  const reason = "The transfer is stale; only a pending one can be accepted";
  expect(told(await taken(one, token))).toEqual([reason]);
  expect(told(await send(`POST ${offer.path}/accept`))).toEqual([reason]);
  expect((await send(`GET ${all}`)).body.results).toBe(1);
  expect((await send(`POST ${all}`, { body: { entities: { computes: [id] } } })).status).toBe(200);
});

test("an offer can be cancelled as long as it is pending, by who made it", async () => {
  proves(rule(8));
  await using one = await cloud();
  const { send } = one;
  const { id, path: instance } = await machine(one);
  const { path, token } = await transfer(one, id);
  expect(await send(`DELETE ${path}`)).toMatchObject({ status: 200, body: {} });
  expect((await send(`GET ${path}`)).body.status).toBe("cancelled");
  expect(history(one).slice(-1)).toEqual(["entity_transfer_cancel notification"]);
  expect(told(await send(`DELETE ${path}`))).toEqual([
    "The transfer is cancelled; only a pending one can be cancelled",
  ]);
  expect(told(await taken(one, token))).toEqual(["The transfer is cancelled; only a pending one can be accepted"]);
  const offer = await gift(one, {});
  expect((await send(`DELETE ${offer.path}`)).status).toBe(403);
  const again = await transfer(one, id);
  await taken(one, again.token);
  expect(told(await send(`DELETE ${again.path}`))).toEqual([
    "The transfer is accepted; only a pending one can be cancelled",
  ]);
  one.advance(24 * HOUR);
  expect((await send(`GET ${again.path}`)).body.status).toBe("completed");
  expect((await send(`GET ${instance}`)).status).toBe(404);
});

test("nobody accepts what they offer themselves", async () => {
  proves(rule(8));
  await using one = await cloud();
  const { path } = await transfer(one, (await machine(one)).id);
  const reason = "A transfer can't be accepted by the account that made it";
  expect(told(await one.send(`POST ${path}/accept`))).toEqual([reason]);
  const offer = await gift(one, {});
  expect(told(await taken(one, offer.token))).toEqual([reason]);
});

test("only instances of the account are offered, each once and in one transfer", async () => {
  proves(rule(8));
  await using one = await cloud();
  const { send } = one;
  const { id } = await machine(one);
  expect(await refusals(one, 7, id, 8)).toEqual([
    "entities.computes.0: There is no instance 7",
    "entities.computes.2: There is no instance 8",
  ]);
  expect(await refusals(one, id, id)).toEqual(["entities.computes: Must name each instance once"]);
  expect(await refusals(one)).toEqual(["entities.computes: Must hold at least 1 entry"]);
  const nothing = await send(`POST ${all}`, { body: { entities: { volumes: [1] } } });
  expect(told(nothing).sort()).toEqual(["entities.computes: Is required", "entities.volumes: Is not a known field"]);
  const { token, path } = await transfer(one, id);
  const reason = `entities.computes.0: Instance ${id} is in a transfer already`;
  expect(await refusals(one, id)).toEqual([reason]);
  await send(`DELETE ${path}`);
  await taken(one, (await transfer(one, id)).token);
  expect(await refusals(one, id)).toEqual([reason]);
  expect((await send(`GET ${all}/${token}`)).body.status).toBe("cancelled");
});

test("an instance with a job under way is not offered", async () => {
  proves(rule(8));
  await using one = await cloud();
  const { id } = (await one.send("POST /compute/instances", { body: debian })).body;
  expect(await refusals(one, id)).toEqual(["Compute busy."]);
  one.settle();
  await transfer(one, id);
});

test("an instance that other things use is not offered", async () => {
  proves(rule(8));
  await using one = await cloud();
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
  const service = (
    await send("POST /managed/services", {
      body: { label: "web", service_type: "url", address: `https://${address}/up`, timeout: 5 },
    })
  ).body.id;
  const cluster = {
    label: "k",
    region: "us-east",
    k8s_version: "1.21",
    node_pools: [{ type: "g6-standard-1", count: 1 }],
  };
  await send("POST /lke/clusters", { body: cluster });
  one.settle();
  const [node] = one.world.lkeNodes.all();
  const balanced = await machine(one, { ...debian, private_ip: true });
  const [, backend] = (await balanced.view()).ipv4;
  const configs = [{ port: 80, nodes: [{ label: "one", address: `${backend}:80` }] }];
  const balancer = (await send("POST /nodebalancers", { body: { region: debian.region, configs } })).body.id;
  const sharing = await machine(one);
  const [spare] = (await sharing.view()).ipv4;
  await send("POST /networking/ipv4/share", { body: { compute_id: balanced.id, ips: [spare] } });
  const computes = [attached, walled, joined, watched].map(({ id }) => id);
  computes.push(node?.instance_id as number, balanced.id, sharing.id);
  expect(await refusals(one, ...computes)).toEqual([
    `entities.computes.0: Instance ${attached.id} has the volume ${volume}; detach it first`,
    `entities.computes.1: Instance ${walled.id} has the firewall ${firewall}; take it off first`,
    `entities.computes.2: Instance ${joined.id} has a VLAN in its config ${config.id}; remove it first`,
    `entities.computes.3: Instance ${watched.id} is monitored by the managed service ${service}; delete that first`,
    `entities.computes.4: Instance ${node?.instance_id} is the node ${node?.id} of a cluster`,
    `entities.computes.5: Instance ${balanced.id} is a backend of the load balancer ${balancer}; take it out first`,
    `entities.computes.6: Instance ${sharing.id} shares ${spare} with instance ${balanced.id}; end that first`,
  ]);
  await send(`POST /volumes/${volume}/detach`);
  await send(`DELETE /networking/firewalls/${firewall}`);
  await transfer(one, attached.id, walled.id);
});

test("a transfer fails as a whole when an instance is gone or used by then", async () => {
  proves(rule(8));
  await using one = await cloud();
  const { send } = one;
  const kept = await machine(one);
  const gone = await machine(one);
  const first = await transfer(one, kept.id, gone.id);
  await send(`DELETE ${gone.path}`);
  expect((await taken(one, first.token)).body.status).toBe("failed");
  expect(one.world.events.recent()[0]).toMatchObject({
    action: "entity_transfer_fail",
    message: `There is no instance ${gone.id}`,
  });
  const second = await transfer(one, kept.id);
  await taken(one, second.token);
  await send("POST /volumes", { body: { label: "late", compute_id: kept.id } });
  one.settle();
  expect((await send(`GET ${second.path}`)).body.status).toBe("failed");
  expect((await send(`GET ${kept.path}`)).status).toBe(200);
});

test("a transfer whose job fails moves nothing, in either direction", async () => {
  await using one = await cloud();
  const { send } = one;
  const offer = await gift(one, {});
  one.faults.add({ path: "entityTransfers.accept", kind: "job-fail" });
  await send(`POST ${offer.path}/accept`);
  one.settle();
  expect((await send(`GET ${offer.path}`)).body.status).toBe("failed");
  expect((await send(`GET ${all}`)).body.results).toBe(1);
  expect(one.world.instances.size).toBe(0);
  expect(history(one)).toEqual(["entity_transfer_accept failed", "entity_transfer_fail notification"]);
});

test("however many instances move, three hours are enough", async () => {
  proves("part 3 · Limits · limit 8");
  await using one = await cloud();
  const offer = await gift(one, ...Array(20).fill({ image: null }));
  await one.send(`POST ${offer.path}/accept`);
  one.advance(3 * HOUR - 1);
  expect((await one.send(`GET ${offer.path}`)).body.status).toBe("accepted");
  one.advance(1);
  expect((await one.send(`GET ${offer.path}`)).body.status).toBe("completed");
  expect(one.world.instances.size).toBe(20);
});

test("an acceptance counts: two a minute", async () => {
  await using one = await cloud({ rateLimits: true });
  const offers = [await gift(one, {}), await gift(one, {}), await gift(one, {})];
  const statuses: number[] = [];
  for (const { path } of offers) statuses.push((await one.send(`POST ${path}/accept`)).status);
  expect(statuses).toEqual([200, 200, 429]);
});

test("transfers are for unrestricted users", async () => {
  proves("part 3 · Endpoints · Account and billing · rule 8");
  await using one = await cloud();
  const { id } = await machine(one);
  const { path } = await transfer(one, id);
  const token = await restricted(one, {
    global: { account_access: "read_write" },
    entities: { compute: { [id]: "read_write" } },
  });
  const body = { entities: { computes: [id] } };
  for (const refused of [
    await one.send(`GET ${all}`, { token }),
    await one.send(`POST ${all}`, { token, body }),
    await one.send(`GET ${path}`, { token }),
    await one.send(`DELETE ${path}`, { token }),
    await one.send(`POST ${path}/accept`, { token }),
  ])
    expect(refused.status).toBe(403);
});

test("a token that is no UUID, and one of no transfer", async () => {
  await using one = await cloud();
  expect(told(await one.send(`GET ${all}/nope`))).toEqual(["Not found"]);
  const unknown = "123e4567-e89b-42d3-a456-426614174000";
  for (const request of [`GET ${all}/${unknown}`, `DELETE ${all}/${unknown}`, `POST ${all}/${unknown}/accept`] as const)
    expect((await one.send(request)).status).toBe(404);
  expect((await taken(one, unknown)).status).toBe(404);
  const odd = await one.send("POST /_emulator/transfers", {
    body: { computes: [{ region: "moon", type: "huge", image: "compute/none" }] },
  });
  expect(told(odd)).toEqual([
    "computes.0.region: There is no such region",
    "computes.0.type: There is no such type",
    "computes.0.image: There is no such public image",
  ]);
});
