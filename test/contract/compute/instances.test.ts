import { expect, test } from "vitest";
import { cloud, restricted } from "../cloud";
import { proves } from "../proves";
import { debian, history, machine, messages } from "./instance";

const rule = (number: number): string => `part 1 · Endpoints · Compute instances · rule ${number}`;
const _states = "part 1 · States · Compute instance";
const _limit = "part 1 · Limits · limit 2";
const create = "POST /compute/instances";
const empty = { region: "eu-central", type: "g6-standard-1" };

test("part 1 · Resources · Compute instance: labels are unique in the account, and an update with the own label succeeds", async () => {
  await using one = await cloud();
  const web = await machine(one, { ...empty, label: "web" });
  const other = await machine(one, empty);
  const taken = ["label: Label must be unique"];
  expect(messages(await one.send(create, { body: { ...empty, label: "web" } }))).toEqual(taken);
  expect(await other.rejected("PUT ", { label: "web" })).toEqual(taken);
  expect(await web.request("PUT ", { label: "web" })).toMatchObject({ label: "web" });
});

test("part 1 · Endpoints · Compute instances: an update changes only the given fields", async () => {
  await using one = await cloud();
  const web = await machine(one);
  const before = await web.view();
  await web.request("PUT ", { alerts: { cpu: 50 }, backups: { schedule: { window: "W4" } } });
  const after = await web.request("PUT ", { watchdog_enabled: false, group: "g", tags: ["one"], label: "renamed" });
  expect(after).toMatchObject({
    alerts: { ...before.alerts, cpu: 50 },
    backups: { enabled: false, schedule: { day: null, window: "W4" } },
    watchdog_enabled: false,
    group: "g",
    tags: ["one"],
    label: "renamed",
  });
  expect(history(one).slice(-2)).toEqual(["compute_update notification", "compute_update notification"]);
});

test("deletes an instance in any status immediately, with everything that belongs to it except volumes", async () => {
  proves(rule(8));
  await using one = await cloud();
  const { send, world } = one;
  const web = await machine(one, { ...debian, private_ip: true, backups_enabled: true });
  await web.request("POST /backups", { label: "before" });
  const volume = await send("POST /volumes", { body: { label: "data", compute_id: web.id } });
  const wall = await send("POST /networking/firewalls", {
    body: {
      label: "wall",
      rules: { inbound_policy: "DROP", outbound_policy: "ACCEPT" },
      devices: { computes: [web.id] },
    },
  });
  expect(wall.status).toBe(200);
  one.settle();
  expect([await web.list("volumes"), await web.list("firewalls")]).toMatchObject([
    [{ id: volume.body.id, compute_label: (await web.view()).label }],
    [{ id: wall.body.id }],
  ]);
  await send(`POST ${web.path}/reboot`);
  await web.request("DELETE ");
  expect((await send(`GET ${web.path}`)).status).toBe(404);
  expect((await send(`DELETE ${web.path}`)).status).toBe(404);
  for (const table of [
    "instances",
    "disks",
    "instanceConfigs",
    "instanceBackups",
    "addresses",
    "firewallDevices",
    "jobs",
  ])
    expect(world.tables.get(table)?.size, table).toBe(0);
  expect(world.schedule.timers.where(({ background }) => !background)).toEqual([]);
  expect((await send(`GET /volumes/${volume.body.id}`)).body).toMatchObject({ compute_id: null, status: "active" });
  expect((await send(`GET /networking/firewalls/${wall.body.id}`)).status).toBe(200);
  expect(history(one).slice(-3)).toEqual([
    "compute_reboot failed",
    "firewall_device_remove notification",
    "compute_delete finished",
  ]);
});

test("hidden instances are not found, and restricted users see only granted volumes and firewalls of an instance", async () => {
  await using one = await cloud();
  const { send } = one;
  const web = await machine(one);
  const hidden = await machine(one, empty);
  await send("POST /volumes", { body: { label: "data", compute_id: web.id } });
  const token = await restricted(one, { entities: { compute: { [web.id]: "read_only" } } });
  expect((await send(`GET ${hidden.path}`, { token })).status).toBe(404);
  expect((await send(`GET ${web.path}/volumes`, { token })).body).toMatchObject({ data: [], results: 0 });
  for (const request of ["POST /shutdown", "POST /disks", "DELETE ", "PUT "] as const) {
    const [method, rest] = request.split(" ");
    const body = rest === "/disks" ? { label: "more", size: 10 } : undefined;
    expect((await send(`${method} ${web.path}${rest}`, { token, ...(body && { body }) })).status, request).toBe(403);
  }
});
