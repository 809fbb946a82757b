import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Cloud, cloud } from "../../contract/cloud";

const today = "2026-05-04T10:00:00";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: new Date(`${today}Z`) }));
afterEach(() => void vi.useRealTimers());

const created = async ({ send, world }: Cloud): Promise<string> =>
  (await send("POST /volumes", { body: { label: `data-${world.volumes.size}`, region: "us-east" } })).body.created;

test.each([
  ["instant", "2026-05-04T10:00:01"],
  ["fast", today],
  ["real", today],
  ["stepped", "2022-01-01T00:00:00"],
] as const)("the first date at the pace %s is %s if the machine's clock shows May 2026", async (pace, first) => {
  await using one = await cloud({ pace });
  expect(await created(one)).toBe(first);
});

test("with a seed, the pace instant starts in 2022, and time passes only with requests", async () => {
  await using one = await cloud({ pace: "instant", seed: 1 });
  expect(await created(one)).toBe("2022-01-01T00:00:01");
  vi.setSystemTime(new Date("2026-05-04T11:00:00Z"));
  await one.send("GET /_emulator/clock");
  expect((await one.send("GET /regions")).headers.get("date")).toBe("Sat, 01 Jan 2022 00:00:12 GMT");
});

test("at the pace instant, polling for events since now finds them, even after an idle hour", async () => {
  await using one = await cloud({ pace: "instant" });
  await created(one);
  vi.setSystemTime(new Date("2026-05-04T11:00:00Z"));
  await created(one);
  const filter = { created: { "+gte": "2026-05-04T11:00:00" }, action: "volume_create" };
  expect((await one.send("GET /account/events", { filter })).body.data).toMatchObject([{ status: "finished" }]);
});

test("a reset restarts the clock", async () => {
  await using one = await cloud({ pace: "instant" });
  one.advance(3_600_000);
  await one.reset();
  expect(await created(one)).toBe("2026-05-04T10:00:01");
  await using seeded = await cloud({ pace: "instant", seed: 1 });
  const first = await created(seeded);
  await seeded.reset();
  expect(await created(seeded)).toBe(first);
});

test("a data file keeps the kind of clock at the pace instant", async () => {
  const folder = mkdtempSync(join(tmpdir(), "clock-"));
  try {
    for (const [name, seed] of [
      ["seeded", { seed: 7 }],
      ["today", {}],
    ] as const) {
      const data = join(folder, name);
      await using one = await cloud({ pace: "instant", data, ...seed });
      const before = Date.parse(`${await created(one)}Z`);
      await one.close();
      vi.setSystemTime(Date.now() + 3_600_000);
      await using again = await cloud({ pace: "instant", data });
      const passed = Date.parse(`${await created(again)}Z`) - before;
      expect(passed).toBe(name === "seeded" ? 11_000 : 3_611_000);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe("a change of the pace", () => {
  const boot = async (one: Cloud): Promise<string> => {
    const instance = {
      region: "us-east",
      type: "g6-nanode-1",
      image: "compute/debian11",
      root_pass: "Correct-Horse-42",
    };
    return (await one.send("POST /compute/instances", { body: instance })).body.id;
  };
  const statusOf = async (one: Cloud, id: string): Promise<string> =>
    (await one.send(`GET /compute/instances/${id}`)).body.status;
  const change = (one: Cloud, pace: string) => one.send("POST /_emulator/clock", { body: { pace } });

  test("applies to the jobs that start afterwards, and the time continues", async () => {
    await using one = await cloud({ pace: "instant" });
    expect(await statusOf(one, await boot(one))).toBe("running");
    const { now } = (await one.send("GET /_emulator/clock")).body;
    const changed = (await change(one, "real")).body;
    expect(changed).toMatchObject({ pace: "real" });
    expect(changed.now - now).toBeLessThan(5_000);
    const slow = await boot(one);
    expect(await statusOf(one, slow)).not.toBe("running");
    expect((await change(one, "fast")).body).toMatchObject({ pace: "fast" });
    expect(await statusOf(one, slow), "a job in progress keeps its end").not.toBe("running");
    vi.advanceTimersByTime(600_000);
    expect(await statusOf(one, slow)).toBe("running");
    expect((await change(one, "instant")).body).toMatchObject({ pace: "instant" });
    expect(await statusOf(one, await boot(one))).toBe("running");
  });

  test("makes a fixed clock follow the machine's clock", async () => {
    await using one = await cloud({ pace: "stepped" });
    expect((await change(one, "fast")).body).toMatchObject({ pace: "fast", time: "2022-01-01T00:00:00" });
    vi.setSystemTime(new Date("2026-05-04T10:01:00Z"));
    expect((await one.send("GET /_emulator/clock")).body).toMatchObject({ time: "2022-01-01T00:01:00" });
  });

  test.each(["stepped", "slow", 30])("to %o is rejected, and changes nothing", async (pace) => {
    await using one = await cloud({ pace: "fast" });
    const { status, body } = await one.send("POST /_emulator/clock", { body: { pace, seconds: 60 } });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ field: "pace", reason: expect.stringMatching(/instant.*fast.*real/) }]);
    expect((await one.send("GET /_emulator/clock")).body).toMatchObject({ pace: "fast", time: today });
  });
});
