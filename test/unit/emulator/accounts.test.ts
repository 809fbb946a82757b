import { expect, test as vitest } from "vitest";
import { type Operation, operations } from "../../../api";
import { fill } from "../../../emulator/accounts";
import { snapshot } from "../../../emulator/core/snapshot";
import { cloud } from "../../contract/cloud";
import { fresh } from "../../fresh";

const test = vitest.extend("one", fresh(cloud));

/** Groups of API operations (such as `volumes`) whose objects are created by a POST to the path of their list. */
const making = Object.entries<Record<string, Operation>>(operations).filter(
  ([, { create, list }]) => create?.method === "POST" && list?.path === create.path,
);

test("small: every area with a create operation has objects", async ({ one }) => {
  const { counts } = await fill(one.world, "small");
  expect(making.length).toBeGreaterThan(5);
  for (const [area] of making) expect(counts()[`${area}.create`] ?? 0, area).toBeGreaterThan(0);
  for (const [area, { list }] of making) {
    if (!list || list.path.includes("{")) continue;
    const { body } = await one.send(`GET ${list.path}`);
    expect(body.results, area).toBeGreaterThan(0);
  }
});

test("small: no job is running, and the same seed creates the same account", async () => {
  await using one = await cloud({ account: "small", seed: 7 });
  await using two = await cloud({ seed: 7 });
  await two.send("POST /_emulator/reset", { body: { account: "small" } });
  expect(one.world.jobs.table.size).toBe(0);
  expect(one.world.schedule.timers.where(({ background }) => !background)).toEqual([]);
  expect(snapshot(two.world)).toEqual(snapshot(one.world));
  await using other = await cloud({ account: "small", seed: 8 });
  expect(snapshot(other.world).tables.instances).not.toEqual(snapshot(one.world).tables.instances);
  // The sample objects of an account are created by requests with the temporary token "account". Afterwards, the token
  // is invalid, and these requests are not in the log.
  expect((await one.send("GET /volumes", { token: "account" })).status).toBe(401);
  expect(two.requests.counts()).toEqual({});
});

test.each(["fast", "real", "instant"] as const)(
  "small: its clock agrees with that of the machine at the pace %s, and no object is from the future",
  async (pace) => {
    const before = Date.now();
    await using one = await cloud({ account: "small", pace });
    const machine = Date.now();
    const now = one.world.clock.now();
    expect(now - before).toBeGreaterThanOrEqual(0);
    expect(now - machine, "a client that waits for events since now must find them").toBeGreaterThanOrEqual(0);
    expect(now - Date.now()).toBeLessThan(2_000);
    for (const { created } of [...one.world.instances.all(), ...one.world.volumes.all()])
      expect(Date.parse(`${created}Z`)).toBeLessThanOrEqual(now);
  },
);

test("small: its snapshot can be loaded", async () => {
  await using one = await cloud({ account: "small" });
  await using two = await cloud({ load: snapshot(one.world) });
  expect(snapshot(two.world)).toEqual(snapshot(one.world));
});

test("large: creates 10,000 objects within seconds", async ({ one }) => {
  const { counts } = await fill(one.world, "large");
  const created = Object.entries(counts()).filter(([name]) => name.endsWith(".create"));
  expect(created.reduce((sum, [, count]) => sum + count, 0)).toBe(10_000);
  expect(created.length).toBeGreaterThan(6);
});

test("reset: rejects an unknown account with the allowed values", async ({ one }) => {
  const { status, body } = await one.send("POST /_emulator/reset", { body: { account: "huge" } });
  expect(status).toBe(400);
  expect(body.errors).toEqual([{ field: "account", reason: 'Must be "empty", "small" or "large"' }]);
});

test("rejects a snapshot together with an account", async ({ one }) => {
  await expect(cloud({ load: snapshot(one.world), account: "small" })).rejects.toThrow("cannot be combined");
});
