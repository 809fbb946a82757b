import { expect } from "vitest";
import { type Cloud, test } from "../cloud";
import { proves } from "../proves";
import { debian, type Machine, machine, rule } from "./instance";

const documents = "part 1 · Resources · Backups of an instance";
const stored = { ...debian, backups_enabled: true };
const day = 24 * 3600 * 1000;

/** The configs and disks in a backup of the instance `debian`. */
const content = {
  configs: ["My Debian 11 Disk Profile"],
  disks: [
    { label: "Debian 11 Disk", filesystem: "ext4", size: 50_688 },
    { label: "512 MB Swap Image", filesystem: "swap", size: 512 },
  ],
};

test(`${documents}: enables and disables the backup service; disabling deletes the backups`, async (one) => {
  const web = await machine(one);
  const backups = async () => (await web.view()).backups;
  const unset = { enabled: false, last_successful: null };
  expect(await backups()).toEqual({ ...unset, schedule: { day: null, window: null } });
  expect(await web.rejected("POST /backups", { label: "first" })).toEqual([
    `The backup service of instance ${web.id} is disabled; enable it first`,
  ]);
  await web.request("POST /backups/enable");
  const scheduling = { day: "Scheduling", window: "Scheduling" };
  expect(await backups()).toEqual({ ...unset, enabled: true, schedule: scheduling });
  await web.request("PUT ", { backups: { schedule: { day: "Monday" } } });
  await web.request("POST /backups", { label: "first" });
  expect(await backups()).toMatchObject({ last_successful: expect.any(String), schedule: { day: "Monday" } });
  await web.request("POST /backups/cancel");
  expect(await backups()).toEqual({ ...unset, schedule: { ...scheduling, day: "Monday" } });
  const none = { automatic: [], snapshot: { current: null, in_progress: null } };
  expect((await one.send(`GET ${web.path}/backups`)).body).toEqual(none);
});

test("a snapshot replaces the previous one when it is complete", async (one) => {
  proves(rule(9), "part 1 · Limits · limit 3");
  const { send } = one;
  const web = await machine(one, stored);
  const list = async () => (await send(`GET ${web.path}/backups`)).body.snapshot;
  const first = await web.request("POST /backups", { label: "first" });
  expect(first).toMatchObject({ label: "first", finished: null });
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
});

test("a snapshot is pending, without disks and configs, until it is complete", async (one) => {
  const web = await machine(one, stored);
  const backups = async () => (await one.send(`GET ${web.path}/backups`)).body.snapshot;
  const created = (await one.send(`POST ${web.path}/backups`, { body: { label: "first" } })).body;
  const pending = { id: created.id, type: "snapshot", status: "pending", disks: [], configs: [] };
  expect(created).toMatchObject(pending);
  one.advance(1000);
  expect((await one.send(`GET ${web.path}/backups/${created.id}`)).body).toMatchObject(pending);
  expect((await backups()).in_progress).toMatchObject(pending);
  one.settle();
  expect((await backups()).current).toMatchObject({ id: created.id, status: "successful", ...content });
});

const automatic = async ({ send }: Cloud, { path }: Machine) => (await send(`GET ${path}/backups`)).body.automatic;

test(`${documents}: takes a backup a day in the scheduled window, and keeps the daily one and two weekly ones`, async (one) => {
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

test("an automatic backup has no label and is like any other backup", async (one) => {
  proves(rule(15));
  const web = await machine(one, stored);
  one.advance(day);
  const [backup] = await automatic(one, web);
  expect(backup).toEqual({
    id: expect.any(Number),
    type: "auto",
    label: null,
    status: "successful",
    ...content,
    created: expect.any(String),
    updated: expect.any(String),
    finished: expect.any(String),
  });
  expect((await one.send(`GET ${web.path}/backups/${backup.id}`)).body).toEqual(backup);
});
