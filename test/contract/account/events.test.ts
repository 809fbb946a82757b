import { expect } from "vitest";
import { type Cloud, restricted, test } from "../cloud";
import { machine } from "../compute/instance";
import { proves } from "../proves";

const section = "part 3 · Endpoints · Events";
const DAY = 24 * 3600 * 1000;

/** Creates a firewall. Unlike a volume, it is created without a job, so its event is finished immediately. */
async function firewall({ send }: Cloud, label: string): Promise<number> {
  const rules = { inbound_policy: "DROP", outbound_policy: "DROP" };
  return (await send("POST /networking/firewalls", { body: { label, rules } })).body.id;
}

const volume = async ({ send }: Cloud, label = "data"): Promise<number> =>
  (await send("POST /volumes", { body: { label, region: "us-east" } })).body.id;

/** The events that the API returns, each as a text such as `firewall_create edge`. */
async function messages({ send }: Cloud, requested: { token?: string; filter?: object } = {}): Promise<string[]> {
  const { data } = (await send("GET /account/events", requested)).body;
  return data.map(({ action, entity }: { action: string; entity: { label: string } }) => `${action} ${entity.label}`);
}

test(`${section}: lists the events of the last 90 days, newest first`, async (one) => {
  await firewall(one, "one");
  const [old] = (await one.send("GET /account/events")).body.data;
  one.advance(60 * DAY);
  await firewall(one, "two");
  await firewall(one, "three");
  one.advance(30 * DAY);
  expect(await messages(one)).toEqual(["firewall_create three", "firewall_create two", "firewall_create one"]);
  expect((await one.send(`GET /account/events/${old.id}`)).body).toEqual(old);
  one.advance(1_000);
  expect(await messages(one)).toEqual(["firewall_create three", "firewall_create two"]);
  for (const request of [
    `GET /account/events/${old.id}`,
    `POST /account/events/${old.id}/read`,
    `POST /account/events/${old.id}/seen`,
  ])
    expect((await one.send(request as "GET /")).status).toBe(404);
  expect((await one.send("GET /account/events?page=2&page_size=25")).body).toMatchObject({ data: [], results: 2 });
});

test(`${section}: an event has an entity, a user and a progress`, async (one) => {
  const id = await volume(one);
  one.advance(2_500);
  const [event] = (await one.send("GET /account/events")).body.data;
  const entity = { id, label: "data", type: "volume", url: `/v4/volumes/${id}` };
  const fixed = { id: event.id, action: "volume_create", created: "2022-01-01T00:00:00", entity, username: "emulator" };
  const rest = { message: "", rate: null, secondary_entity: null, read: false, seen: false };
  const started = { status: "started", percent_complete: 25, duration: 2.5, time_remaining: null };
  expect(event).toEqual({ ...fixed, ...rest, ...started });
  one.advance(60_000);
  const over = { status: "finished", percent_complete: 100, duration: 10, time_remaining: null };
  expect((await one.send(`GET /account/events/${event.id}`)).body).toEqual({ ...fixed, ...rest, ...over });
});

test("an event without a duration has all its keys, with null for unset ones", async (one) => {
  const id = await firewall(one, "edge");
  const [event] = (await one.send("GET /account/events")).body.data;
  expect(event).toEqual({
    id: event.id,
    action: "firewall_create",
    created: "2022-01-01T00:00:00",
    status: "notification",
    percent_complete: null,
    time_remaining: null,
    rate: null,
    duration: null,
    entity: { id, label: "edge", type: "firewall", url: `/v4/networking/firewalls/${id}` },
    secondary_entity: null,
    username: "emulator",
    message: "",
    read: false,
    seen: false,
  });
});

test("an event has a transfer rate only while data is copied, otherwise null", async (one) => {
  const web = await machine(one);
  await one.send(`POST ${web.path}/clone`, { body: { region: "eu-central", type: "g6-standard-1", label: "copy" } });
  const rate = async () =>
    (await one.send("GET /account/events", { filter: { action: "compute_clone" } })).body.data[0].rate;
  expect(await rate()).toBe("140.0 MB/s");
  one.settle();
  expect(await rate()).toBeNull();
});

test.each<[object, string[] | number]>([
  [{ action: "volume_create" }, ["volume_create data"]],
  [{ action: { "+contains": "_create" } }, ["volume_create data", "firewall_create edge"]],
  [{ "entity.type": "firewall" }, ["firewall_delete edge", "firewall_create edge"]],
  [{ created: { "+gt": "2022-01-01T00:00:30" } }, ["firewall_delete edge", "volume_create data"]],
  [{ "+order_by": "created", "+order": "asc" }, ["firewall_create edge", "volume_create data", "firewall_delete edge"]],
  [{ "+and": [{ "entity.type": "firewall" }, { action: { "+neq": "firewall_create" } }] }, ["firewall_delete edge"]],
  [{ username: "emulator" }, 400],
  [{ status: "finished" }, 400],
])(`${section}: filters the list by %j`, async (one, filter, expected) => {
  const id = await firewall(one, "edge");
  one.advance(60_000);
  await volume(one);
  one.advance(60_000);
  await one.send(`DELETE /networking/firewalls/${id}`);
  if (Array.isArray(expected)) expect(await messages(one, { filter })).toEqual(expected);
  else expect((await one.send("GET /account/events", { filter })).status).toBe(expected);
});

test("mark as seen marks all events up to the given one, and mark as read marks only that one", async (one) => {
  proves(`${section} · rule 1`);
  for (const label of ["one", "two", "three"]) await firewall(one, label);
  const marks = async (field: "seen" | "read") =>
    (await one.send("GET /account/events")).body.data.map((event: Record<string, unknown>) => event[field]);
  const [, second] = (await one.send("GET /account/events")).body.data;
  expect(await one.send(`POST /account/events/${second.id}/seen`)).toMatchObject({ status: 200, body: {} });
  expect(await marks("seen")).toEqual([false, true, true]);
  expect(await marks("read")).toEqual([false, false, false]);
  expect(await one.send(`POST /account/events/${second.id}/read`)).toMatchObject({ status: 200, body: {} });
  expect(await marks("read")).toEqual([false, true, false]);
  const { body } = await one.send(`GET /account/events/${second.id}`);
  expect(body).toEqual({ ...second, seen: true, read: true });
  for (const mark of ["seen", "read"]) expect((await one.send(`POST /account/events/7/${mark}`)).status).toBe(404);
});

test(`${section}: a restricted user sees events about objects with a grant`, async (one) => {
  const mine = await firewall(one, "mine");
  await firewall(one, "hidden");
  const token = await restricted(one, { entities: { firewall: { [mine]: "read_only" } } });
  expect(await messages(one, { token })).toEqual(["firewall_create mine"]);
  const [hidden, shown] = (await one.send("GET /account/events")).body.data;
  expect((await one.send(`GET /account/events/${hidden.id}`, { token })).status).toBe(404);
  for (const mark of ["read", "seen"]) {
    expect((await one.send(`POST /account/events/${hidden.id}/${mark}`, { token })).status).toBe(404);
    expect((await one.send(`POST /account/events/${shown.id}/${mark}`, { token })).status).toBe(200);
  }
  expect((await one.send("GET /account/events", { token })).body.data).toEqual([{ ...shown, read: true, seen: true }]);
});

test(`${section}: events about the disks of an instance require the grant for the instance`, async (one) => {
  for (const id of [11, 12]) {
    const url = `/v4/compute/instances/${id}`;
    one.world.events.add("disk_update", { id, label: `of-${id}`, type: "compute", url });
  }
  const token = await restricted(one, { entities: { compute: { 11: "read_only" } } });
  expect(await messages(one, { token })).toEqual(["disk_update of-11"]);
});

test(`${section}: a restricted user marks only visible events as seen`, async (one) => {
  await firewall(one, "hidden");
  const mine = await firewall(one, "mine");
  const token = await restricted(one, { entities: { firewall: { [mine]: "read_only" } } });
  const [last] = (await one.send("GET /account/events")).body.data;
  await one.send(`POST /account/events/${last.id}/seen`, { token });
  const seen = (await one.send("GET /account/events")).body.data.map((event: { seen: boolean }) => event.seen);
  expect(seen).toEqual([true, false]);
});

test(`${section}: events about the account are visible to the user who caused them and to users with account access`, async (one) => {
  const about = { id: 1, label: "account", type: "account", url: "/v4/account" } as const;
  for (const username of ["emulator", "guest"]) one.world.events.add("account_update", about, { username });
  const token = await restricted(one);
  const names = async () =>
    (await one.send("GET /account/events", { token })).body.data.map((event: { username: string }) => event.username);
  expect(await names()).toEqual(["guest"]);
  await restricted(one, { global: { account_access: "read_only" } });
  expect(await names()).toEqual(["guest", "emulator"]);
});
