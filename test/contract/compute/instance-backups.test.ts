import { expect, test } from "vitest";
import { type Cloud, cloud } from "../cloud";
import { proves } from "../proves";
import { debian, history, type Machine, machine } from "./instance";

const rule = (number: number): string => `part 1 · Endpoints · Compute instances · rule ${number}`;
const documents = "part 1 · Resources · Backups of an instance";
const stored = { ...debian, backups_enabled: true };
const day = 24 * 3600 * 1000;

test(`${documents}: enables and disables the backup service; disabling deletes the backups`, async () => {
  await using one = await cloud();
  const web = await machine(one);
  expect((await web.view()).backups).toEqual({
    enabled: false,
    last_successful: null,
    schedule: { day: null, window: null },
  });
  expect(await web.rejected("POST /backups", { label: "first" })).toEqual([
    `The backup service of instance ${web.id} is disabled; enable it first`,
  ]);
  await web.request("POST /backups/enable");
  expect((await web.view()).backups).toEqual({
    enabled: true,
    last_successful: null,
    schedule: { day: "Scheduling", window: "Scheduling" },
  });
  await web.request("PUT ", { backups: { schedule: { day: "Monday" } } });
  await web.request("POST /backups", { label: "first" });
  expect((await web.view()).backups).toMatchObject({
    last_successful: expect.any(String),
    schedule: { day: "Monday" },
  });
  await web.request("POST /backups/cancel");
  expect((await web.view()).backups).toEqual({
    enabled: false,
    last_successful: null,
    schedule: { day: "Monday", window: "Scheduling" },
  });
  expect((await one.send(`GET ${web.path}/backups`)).body).toEqual({
    automatic: [],
    snapshot: { current: null, in_progress: null },
  });
  expect(history(one).slice(2)).toEqual([
    "backups_enable notification",
    "compute_update notification",
    "compute_snapshot finished",
    "backups_cancel notification",
  ]);
});

test("a snapshot replaces the previous one when it is complete", async () => {
  proves(rule(9), "part 1 · Limits · limit 3");
  await using one = await cloud();
  const { send } = one;
  const web = await machine(one, stored);
  const list = async () => (await send(`GET ${web.path}/backups`)).body.snapshot;
  const first = await web.request("POST /backups", { label: "first" });
  expect(first).toMatchObject({
    label: "first",
    type: "snapshot",
    status: "pending",
    configs: [],
    disks: [],
    finished: null,
  });
  const second = await send(`POST ${web.path}/backups`, { body: { label: "second" } });
  expect(await list()).toMatchObject({
    current: { id: first.id, status: "successful" },
    in_progress: { id: second.body.id },
  });
  expect(await web.rejected("POST /backups", { label: "third" })).toEqual(["Compute busy."]);
  one.settle();
  expect(await list()).toMatchObject({ current: { id: second.body.id, finished: expect.any(String) } });
  expect((await list()).in_progress).toBeNull();
  expect((await send(`GET ${web.path}/backups/${first.id}`)).status).toBe(404);
  one.faults.add({ path: "instanceBackups.snapshot", kind: "job-fail" });
  await web.request("POST /backups", { label: "third" });
  expect(await list()).toEqual({ current: expect.objectContaining({ id: second.body.id }), in_progress: null });
  expect(await web.rejected("POST /backups", { label: "" })).toEqual(["label: Must not be empty"]);
});

test("a snapshot is pending, without disks and configs, until it is complete", async () => {
  await using one = await cloud();
  const web = await machine(one, stored);
  const backups = async () => (await one.send(`GET ${web.path}/backups`)).body.snapshot;
  const created = (await one.send(`POST ${web.path}/backups`, { body: { label: "first" } })).body;
  const pending = { id: created.id, type: "snapshot", status: "pending", disks: [], configs: [] };
  expect(created).toMatchObject(pending);
  one.advance(1000);
  expect((await one.send(`GET ${web.path}/backups/${created.id}`)).body).toMatchObject(pending);
  expect((await backups()).in_progress).toMatchObject(pending);
  one.settle();
  expect((await backups()).current).toMatchObject({
    id: created.id,
    status: "successful",
    configs: ["My Debian 11 Disk Profile"],
    disks: [
      { label: "Debian 11 Disk", filesystem: "ext4", size: 50_688 },
      { label: "512 MB Swap Image", filesystem: "swap", size: 512 },
    ],
  });
});

const automatic = async ({ send }: Cloud, { path }: Machine) => (await send(`GET ${path}/backups`)).body.automatic;

test(`${documents}: takes a backup a day in the scheduled window, and keeps the daily one and two weekly ones`, async () => {
  await using one = await cloud();
  const web = await machine(one, stored);
  await web.request("PUT ", { backups: { schedule: { window: "W6", day: "Wednesday" } } });
  const times = async () => (await automatic(one, web)).map(({ created }: { created: string }) => created);
  for (const [days, created] of [
    [1, ["2022-01-01T06:00:00"]],
    [4, ["2022-01-05T06:00:00"]],
    [3, ["2022-01-05T06:00:00", "2022-01-08T06:00:00"]],
    [14, ["2022-01-12T06:00:00", "2022-01-19T06:00:00", "2022-01-22T06:00:00"]],
  ] as const) {
    one.advance(days * day);
    expect(await times()).toEqual(created);
  }
  await web.request("PUT ", { backups: { schedule: { window: "W22" } } });
  one.advance(day);
  expect((await times()).at(-1)).toBe("2022-01-23T22:00:00");
  await web.request("POST /backups/cancel");
  one.advance(day);
  expect(await times()).toEqual([]);
});

test("an automatic backup has no label and is like any other backup", async () => {
  proves(rule(15));
  await using one = await cloud();
  const web = await machine(one, stored);
  one.advance(day);
  const [backup] = await automatic(one, web);
  expect(backup).toEqual({
    id: expect.any(Number),
    type: "auto",
    label: null,
    status: "successful",
    configs: ["My Debian 11 Disk Profile"],
    disks: [
      { label: "Debian 11 Disk", filesystem: "ext4", size: 50_688 },
      { label: "512 MB Swap Image", filesystem: "swap", size: 512 },
    ],
    created: expect.any(String),
    updated: expect.any(String),
    finished: expect.any(String),
  });
  expect((await one.send(`GET ${web.path}/backups/${backup.id}`)).body).toEqual(backup);
});
