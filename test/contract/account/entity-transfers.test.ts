import { expect } from "vitest";
import { cloud, history, messages, test } from "../cloud";
import { debian, machine } from "../compute/instance";
import { proves } from "../proves";
import { rule } from "./billing";
import { all, gift, HOUR, taken, transfer } from "./transfers";

test("after the acceptance, the instances are moved within three hours with everything that belongs to them", async (one) => {
  proves(rule(8));
  const { send } = one;
  const first = await machine(one, { ...debian, backups_enabled: true, private_ip: true });
  const second = await machine(one);
  await first.request("POST /backups", { label: "kept" });
  const { path, token } = await transfer(one, first.id, second.id);
  await send(`PUT /managed/compute-settings/${first.id}`, { body: { ssh: { port: 2222 } } });
  expect((await taken(one, token)).body.status).toBe("accepted");
  expect((await send(`GET ${path}`)).body.status).toBe("accepted");
  expect((await send(`GET ${first.path}`)).status).toBe(200);
  one.advance(3 * HOUR);
  const entities = { computes: [first.id, second.id] };
  expect((await send(`GET ${path}`)).body).toMatchObject({ status: "completed", entities });
  for (const { path } of [first, second]) expect((await send(`GET ${path}`)).status).toBe(404);
  const { disks, instanceConfigs, instanceBackups, addresses, managedComputeSettings, jobs } = one.world;
  for (const { size } of [disks, instanceConfigs, instanceBackups, addresses, managedComputeSettings, jobs.table])
    expect(size).toBe(0);
  expect(history(one).slice(-2)).toEqual(["entity_transfer_create notification", "entity_transfer_accept finished"]);
  expect((await send("GET /account/events")).body.data[0].username).toBe("");
});

test("DNS records of transferred instances are kept", async (one) => {
  proves(rule(8));
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

test("accepted instances of another account keep their backup and id", async (one) => {
  proves(rule(8));
  const { send } = one;
  await machine(one, { ...debian, label: "web" });
  const large = { label: "web", region: "eu-west", type: "g6-standard-2", backups_enabled: true };
  const offer = await gift(one, large, { image: null });
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
  expect(seen).toMatchObject({ label: "web-2", region: "eu-west", type: "g6-standard-2", status: "running" });
  expect(seen).toMatchObject({ image: "compute/debian11", backups: { enabled: true } });
  expect((await send(`GET /compute/instances/${web}/disks`)).body.results).toBe(2);
  expect((await send(`GET /compute/instances/${web}/configs`)).body.results).toBe(1);
  const { automatic } = (await send(`GET /compute/instances/${web}/backups`)).body;
  expect(automatic).toMatchObject([{ status: "successful" }]);
  expect((await send(`GET /compute/instances/${empty}`)).body).toMatchObject({ status: "offline", image: null });
  expect((await send(`POST /compute/instances/${web}/reboot`)).status).toBe(200);
  const [, event] = one.world.events.recent();
  expect(event).toMatchObject({ action: "entity_transfer_accept", status: "finished", username: "emulator" });
});

test("lists created and accepted transfers; others can be viewed by their token", async (one) => {
  proves(rule(8));
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

test("an offer that is not accepted within 24 hours becomes stale", async (one) => {
  proves(rule(8));
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
  expect(messages(await taken(one, token))).toEqual([reason]);
  expect(messages(await send(`POST ${offer.path}/accept`))).toEqual([reason]);
  expect((await send(`GET ${all}`)).body.results).toBe(1);
  expect((await send(`POST ${all}`, { body: { entities: { computes: [id] } } })).status).toBe(200);
});

test("the creator can cancel a transfer while it is pending", async (one) => {
  proves(rule(8));
  const { send } = one;
  const { id, path: instance } = await machine(one);
  const { path, token } = await transfer(one, id);
  expect(await send(`DELETE ${path}`)).toMatchObject({ status: 200, body: {} });
  expect((await send(`GET ${path}`)).body.status).toBe("cancelled");
  expect(history(one).slice(-1)).toEqual(["entity_transfer_cancel notification"]);
  expect(messages(await send(`DELETE ${path}`))).toEqual([
    "The transfer is cancelled; only a pending one can be cancelled",
  ]);
  expect(messages(await taken(one, token))).toEqual(["The transfer is cancelled; only a pending one can be accepted"]);
  const offer = await gift(one, {});
  expect((await send(`DELETE ${offer.path}`)).status).toBe(403);
  const again = await transfer(one, id);
  await taken(one, again.token);
  expect(messages(await send(`DELETE ${again.path}`))).toEqual([
    "The transfer is accepted; only a pending one can be cancelled",
  ]);
  one.advance(24 * HOUR);
  expect((await send(`GET ${again.path}`)).body.status).toBe("completed");
  expect((await send(`GET ${instance}`)).status).toBe(404);
});

test("an account cannot accept its own transfer", async (one) => {
  proves(rule(8));
  const { path } = await transfer(one, (await machine(one)).id);
  const reason = "A transfer cannot be accepted by the account that created it";
  expect(messages(await one.send(`POST ${path}/accept`))).toEqual([reason]);
  const offer = await gift(one, {});
  expect(messages(await taken(one, offer.token))).toEqual([reason]);
});

test("a transfer fails as a whole if an instance was deleted or is in use", async (one) => {
  proves(rule(8));
  const { send } = one;
  const stored = await machine(one);
  const deleted = await machine(one);
  const first = await transfer(one, stored.id, deleted.id);
  await send(`DELETE ${deleted.path}`);
  expect((await taken(one, first.token)).body.status).toBe("failed");
  expect(one.world.events.recent()[0]).toMatchObject({
    action: "entity_transfer_fail",
    message: `There is no instance ${deleted.id}`,
  });
  const second = await transfer(one, stored.id);
  await taken(one, second.token);
  await send("POST /volumes", { body: { label: "late", compute_id: stored.id } });
  one.settle();
  expect((await send(`GET ${second.path}`)).body.status).toBe("failed");
  expect((await send(`GET ${stored.path}`)).status).toBe(200);
});

test("a transfer whose job fails moves no instance, in either direction", async (one) => {
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

test("a transfer of many instances takes at most three hours", async (one) => {
  proves("part 3 · Limits · limit 8");
  const offer = await gift(one, ...Array(20).fill({ image: null }));
  await one.send(`POST ${offer.path}/accept`);
  one.advance(3 * HOUR - 1);
  expect((await one.send(`GET ${offer.path}`)).body.status).toBe("accepted");
  one.advance(1);
  expect((await one.send(`GET ${offer.path}`)).body.status).toBe("completed");
  expect(one.world.instances.size).toBe(20);
});

test("rejects more than two acceptances a minute", async () => {
  await using one = await cloud({ rateLimits: true });
  const offers = [await gift(one, {}), await gift(one, {}), await gift(one, {})];
  const statuses: number[] = [];
  for (const { path } of offers) statuses.push((await one.send(`POST ${path}/accept`)).status);
  expect(statuses).toEqual([200, 200, 429]);
});

test("rejects control requests with an unknown token, and with invalid instances", async (one) => {
  expect((await taken(one, "123e4567-e89b-42d3-a456-426614174000")).status).toBe(404);
  const computes = [{ region: "moon", type: "huge", image: "compute/none" }];
  expect(messages(await one.send("POST /_emulator/transfers", { body: { computes } }))).toEqual([
    "computes.0.region: There is no region moon",
    "computes.0.type: There is no type huge",
    "computes.0.image: There is no public image compute/none",
  ]);
});

test("an accepted instance whose label is taken gets a label of at most 32 characters", async (one) => {
  const long = "a".repeat(31);
  await machine(one, { ...debian, label: `${long}b` });
  const offer = await gift(one, { label: `${long}b` });
  expect((await one.send(`POST ${offer.path}/accept`)).status).toBe(200);
  one.settle();
  const { data } = (await one.send("GET /compute/instances")).body;
  expect(data.map(({ label }: { label: string }) => label)).toContain(`${"a".repeat(30)}-2`);
});
