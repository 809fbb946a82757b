import { expect, test as vitest } from "vitest";
import { cloud } from "../../contract/cloud";
import { fresh } from "../../fresh";

const test = vitest.extend("one", fresh(cloud));

const LAST = Date.UTC(9999, 11, 31, 23, 59, 59);

test.for([
  ["POST /_emulator/clock", { seconds: 1e308 }, "seconds"],
  ["POST /_emulator/clock", { seconds: 8e12 }, "seconds"],
  ["POST /_emulator/clock", { ms: 1e18 }, "ms"],
  ["POST /_emulator/tokens", { token: "brief", expires_in: 1e300 }, "expires_in"],
])("rejects %s %j, and still accepts writes", async ([path, body, field], { one }) => {
  const rejected = await one.send(path as `POST /${string}`, { body });
  expect([rejected.status, rejected.body.errors[0].field]).toEqual([400, field]);
  expect(rejected.body.errors[0].reason).toMatch(
    /^Must be at most \d+ seconds: the clock cannot advance beyond the year 9999$/,
  );
  expect((await one.send("POST /volumes", { body: { label: "data", region: "us-east" } })).status).toBe(200);
});

test("rejects a shutdown of an instance that would end after the year 9999", async ({ one }) => {
  const instance = { region: "us-east", type: "g6-nanode-1" };
  const { id } = (await one.send("POST /compute/instances", { body: instance })).body;
  const stop = await one.send("POST /_emulator/stop", { body: { compute_id: id, seconds: 1e300 } });
  expect([stop.status, stop.body.errors[0].field]).toEqual([400, "seconds"]);
});

test("every write succeeds at the last time that the API can represent", async ({ one }) => {
  await one.send("POST /_emulator/clock", { body: { ms: LAST - one.world.clock.now() } });
  expect((await one.send("GET /_emulator/clock")).body.time).toBe("9999-12-31T23:59:59");
  const volume = await one.send("POST /volumes", { body: { label: "data", region: "us-east" } });
  expect([volume.status, volume.body.created]).toEqual([200, "9999-12-31T23:59:59"]);
  const state = (await one.send("GET /_emulator/state")).body;
  expect((await one.send("PUT /_emulator/state", { body: state })).status).toBe(200);
});

test("`advance` rejects times that the API cannot represent", async ({ one }) => {
  for (const ms of [-1, Number.NaN, 1e300])
    expect(() => one.advance(ms)).toThrow(
      /must be a number of milliseconds, at least 0, that keeps the clock before the year 10000/,
    );
});

test("rejects a snapshot from after the year 9999", async ({ one }) => {
  const state = (await one.send("GET /_emulator/state")).body;
  const { status, body } = await one.send("PUT /_emulator/state", { body: { ...state, clock: 1e300 } });
  expect([status, body.errors[0].field]).toEqual([400, "clock"]);
});
