import { expect } from "vitest";
import { history, messages, restricted, test } from "../cloud";
import { proves } from "../proves";
import { debian, empty, machine, rule } from "./instance";

const create = "POST /compute/instances";

test("part 1 · Resources · Compute instance: labels are unique in the account, and an update with the own label succeeds", async (one) => {
  const web = await machine(one, { ...empty, label: "web" });
  const other = await machine(one, empty);
  const taken = ["label: Label must be unique"];
  expect(messages(await one.send(create, { body: { ...empty, label: "web" } }))).toEqual(taken);
  expect(await other.rejected("PUT ", { label: "web" })).toEqual(taken);
  expect(await web.request("PUT ", { label: "web" })).toMatchObject({ label: "web" });
});

test("part 1 · Endpoints · Compute instances: an update changes only the given fields", async (one) => {
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

test("deletes an instance in any status immediately, with everything that belongs to it except volumes", async (one) => {
  proves(rule(8));
  const { send, world } = one;
  const web = await machine(one, { ...debian, private_ip: true, backups_enabled: true });
  await web.request("POST /backups", { label: "before" });
  const volume = await send("POST /volumes", { body: { label: "data", compute_id: web.id } });
  const rules = { inbound_policy: "DROP", outbound_policy: "ACCEPT" };
  const wall = await send("POST /networking/firewalls", {
    body: { label: "wall", rules, devices: { computes: [web.id] } },
  });
  one.settle();
  expect([await web.list("volumes"), await web.list("firewalls")]).toMatchObject([
    [{ id: volume.body.id, compute_label: (await web.view()).label }],
    [{ id: wall.body.id }],
  ]);
  await send(`POST ${web.path}/reboot`);
  await web.request("DELETE ");
  const owned = ["instances", "disks", "instanceConfigs", "instanceBackups", "addresses", "firewallDevices", "jobs"];
  for (const table of owned) expect(world.tables.get(table)?.size, table).toBe(0);
  expect(world.schedule.timers.where(({ background }) => !background)).toEqual([]);
  expect((await send(`GET /volumes/${volume.body.id}`)).body).toMatchObject({ compute_id: null, status: "active" });
  expect((await send(`GET /networking/firewalls/${wall.body.id}`)).status).toBe(200);
  expect(history(one).slice(-3)).toEqual([
    "compute_reboot failed",
    "firewall_device_remove notification",
    "compute_delete finished",
  ]);
});

test("restricted users see only granted volumes of an instance", async (one) => {
  const web = await machine(one);
  await one.send("POST /volumes", { body: { label: "data", compute_id: web.id } });
  const token = await restricted(one, { entities: { compute: { [web.id]: "read_only" } } });
  expect((await one.send(`GET ${web.path}/volumes`, { token })).body).toMatchObject({ data: [], results: 0 });
});
