import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { type EmulatorOptions, startEmulator } from "../../../emulator";
import { snapshot } from "../../../emulator/core/snapshot";
import { cloud } from "../../contract/cloud";

const folder = mkdtempSync(join(tmpdir(), "emulator-data-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const newFile = (): string => join(folder, `account-${++files}.db`);

const volume = (label: string) => ({ body: { label, region: "us-east" } });

/** The files that a killed emulator would leave, while it still runs. */
function killed(data: string): string {
  const copy = newFile();
  copyFileSync(data, copy);
  copyFileSync(`${data}-wal`, `${copy}-wal`);
  return copy;
}

/** A file with one volume, closed in good order. */
async function closed(): Promise<string> {
  const data = newFile();
  await using one = await cloud({ data });
  await one.send("POST /volumes", volume("data"));
  return data;
}

const refusal = async (options: EmulatorOptions): Promise<string> => {
  const outcome = await startEmulator(options).catch((error: Error) => error);
  if (!(outcome instanceof Error)) await outcome.close();
  expect(outcome).toBeInstanceOf(Error);
  return (outcome as Error).message;
};

/** The file and what lies beside it, byte by byte. */
const bytes = (data: string): Record<string, Buffer> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => join(folder, name).startsWith(data))
      .map((name) => [name, readFileSync(join(folder, name))]),
  );

test("an account goes on where it stood: clock, random state, ids, timers, events and tokens", async () => {
  const data = newFile();
  const one = await cloud({ data, token: "mine" });
  await one.send("POST /volumes", volume("first"));
  one.advance(4_000);
  const kept = await cloud({ data: killed(data), token: "mine" });
  await one.close();
  const again = await cloud({ data, token: "mine" });
  const twin = await cloud({ token: "mine" });
  await twin.send("POST /volumes", volume("first"));
  twin.advance(4_000);
  for (const { world } of [kept, again])
    expect(world.volumes.all()).toMatchObject([{ label: "first", status: "creating" }]);
  const answers = [];
  for (const account of [kept, again, twin]) {
    const made = await account.send("POST /volumes", volume("second"));
    account.advance(6_000);
    answers.push([
      made.body,
      (await account.send("GET /volumes")).body,
      (await account.send("GET /account/events")).body,
    ]);
    expect(account.world.clock.time()).toBe("2022-01-01T00:00:10");
    expect(account.world.random.state).toBe(twin.world.random.state);
    await account.close();
  }
  expect(answers[0]).toEqual(answers[2]);
  expect(answers[1]).toEqual(answers[2]);
  expect(answers[0]?.[1].data.map(({ status }: { status: string }) => status)).toEqual(["active", "creating"]);
});

test("what is in the file is what is in the world, after every kind of change", async () => {
  const data = newFile();
  await using one = await cloud({ data });
  const { send } = one;
  const same = async () => {
    await using other = await cloud({ data: killed(data) });
    const [kept, known] = [snapshot(other.world), snapshot(one.world)];
    for (const [name, table] of Object.entries(known.tables))
      if (name !== "tokens") expect(kept.tables[name]).toEqual(table);
    expect([kept.clock, kept.random, kept.seed]).toEqual([known.clock, known.random, known.seed]);
  };
  const { body } = await send("POST /compute/instances", { body: { region: "us-east", type: "g6-nanode-1" } });
  await same();
  await send(`POST /compute/instances/${body.id}/disks`, { body: { size: 500, label: "disk" } });
  one.advance(5_000);
  await same();
  one.settle();
  await same();
  await send(`PUT /compute/instances/${body.id}`, { body: { label: "renamed" } });
  await send("POST /_emulator/users", { body: { username: "guest", restricted: true } });
  await same();
  await send(`DELETE /compute/instances/${body.id}`);
  await same();
  await send("PUT /_emulator/state", { body: (await send("GET /_emulator/state")).body });
  await same();
  await send("POST /_emulator/reset");
  await same();
});

test("what an answer that was cut off tells of is kept; what was cut off before is not done", async () => {
  const data = newFile();
  await using one = await cloud({ data });
  for (const kind of ["cut-before", "cut-after", "cut-mid"] as const) {
    one.faults.add({ path: "volumes.create", kind });
    await expect(one.send("POST /volumes", volume(kind))).rejects.toThrow();
  }
  await using other = await cloud({ data: killed(data) });
  expect(other.world.volumes.all().map(({ label }) => label)).toEqual(["cut-after", "cut-mid"]);
});

test("time that follows the machine's has passed meanwhile; time of its own has not", async () => {
  const data = newFile();
  const one = await cloud({ data, pace: "fast" });
  await one.send("POST /volumes", volume("data"));
  one.advance(3_600_000);
  const now = one.world.clock.now();
  await one.close();
  const two = await cloud({ data, pace: "fast" });
  expect(two.world.clock.now() - now).toBeGreaterThanOrEqual(0);
  expect(two.world.clock.now() - now).toBeLessThan(60_000);
  await two.close();
  // With another pace, it stands from now on, and goes on from where it stood.
  const three = await cloud({ data, pace: "stepped" });
  const stood = three.world.clock.now();
  three.advance(1_000);
  expect(three.world.clock.now()).toBe(stood + 1_000);
  await three.close();
  await using four = await cloud({ data, pace: "real" });
  expect(four.world.clock.now() - stood - 1_000).toBeLessThan(60_000);
});

test("the seed is the file's", async () => {
  const data = newFile();
  await (await cloud({ data, seed: 7 })).close();
  await using again = await cloud({ data });
  expect(again.world.seed).toBe(7);
});

test("another token joins those that the file knows", async () => {
  const data = newFile();
  await (await cloud({ data, token: "first" })).close();
  await using again = await cloud({ data, token: "second" });
  for (const token of ["first", "second"]) expect((await again.send("GET /volumes", { token })).status).toBe(200);
});

test("a file that is in use is refused, and its emulator goes on", async () => {
  const data = newFile();
  await using one = await cloud({ data });
  await one.send("POST /volumes", volume("a"));
  expect(await refusal({ data })).toBe(
    `the data file ${data} can't be used: another emulator has it open; stop that one, or name another file`,
  );
  expect((await one.send("POST /volumes", volume("b"))).status).toBe(200);
});

test.each<[string, (data: string) => void, string]>([
  ["that is empty", (data) => writeFileSync(data, ""), "it is empty; delete it"],
  [
    "of text",
    (data) => writeFileSync(data, "hello ".repeat(100)),
    "it is not a data file of the emulator; name another one",
  ],
  [
    "cut short",
    (data) => writeFileSync(data, readFileSync(data).subarray(0, 50)),
    "it is not a data file of the emulator",
  ],
  [
    "cut in half",
    (data) => writeFileSync(data, readFileSync(data).subarray(0, statSync(data).size / 2)),
    "it is damaged (",
  ],
  [
    "with bytes turned over",
    (data) => writeFileSync(data, readFileSync(data).fill(0x5a, 4096, 8000)),
    "it is damaged (",
  ],
  ["of another application", (data) => sql(data, "PRAGMA application_id = 7"), "it belongs to another application"],
  [
    "of a newer format",
    (data) => sql(data, "PRAGMA user_version = 2"),
    "it has format 2, by a newer emulator, and this one reads format 1; use the newer one, or name another file",
  ],
  ["of an unknown format", (data) => sql(data, "PRAGMA user_version = 0"), "its format is not known"],
  [
    "with a row that is no JSON",
    (data) => sql(data, "UPDATE rows SET row = '{' WHERE tbl = 'volumes'"),
    "it is damaged (",
  ],
  ["without a clock", (data) => sql(data, "DELETE FROM account WHERE name = 'clock'"), "it is damaged ("],
  [
    "with a volume of no instance",
    (data) => sql(data, `UPDATE rows SET row = json_set(row, '$.compute_id', 7) WHERE tbl = 'volumes'`),
    "its account is not whole: tables.volumes.rows.0.compute_id: There is no row 7 in the table instances",
  ],
  [
    "with a table of a newer emulator",
    (data) => sql(data, `UPDATE account SET value = json_set(value, '$.dreams', 1) WHERE name = 'next'`),
    "its account is not whole: tables.dreams: There is no such table",
  ],
])("a file %s is refused and left as it is", async (_, spoil, reason) => {
  const data = await closed();
  spoil(data);
  const before = bytes(data);
  expect(await refusal({ data })).toContain(`the data file ${data} can't be used: ${reason}`);
  expect(bytes(data)).toEqual(before);
});

test("a file that was not closed in good order is refused without a trace as well", async () => {
  const running = newFile();
  const one = await cloud({ data: running });
  await one.send("POST /volumes", volume("data"));
  const data = killed(running);
  await one.close();
  writeFileSync(data, readFileSync(data).fill(0x5a, 4096));
  const before = bytes(data);
  expect(await refusal({ data })).toContain("it is damaged (");
  expect(bytes(data)).toEqual(before);
});

test("a folder, and a file in a folder that is not there, are refused", async () => {
  const path = join(folder, "folder");
  mkdirSync(path);
  expect(await refusal({ data: path })).toContain("it is not a file; name a file, or a path that does not exist yet");
  expect(await refusal({ data: join(folder, "none", "a.db") })).toContain(`there is no folder ${join(folder, "none")}`);
});

test("a snapshot fills a new file, and no other", async () => {
  const kept = await closed();
  await using one = await cloud({ data: kept });
  const state = (await one.send("GET /_emulator/state")).body;
  const data = newFile();
  const two = await cloud({ data, load: state });
  expect(two.world.volumes.all()).toMatchObject([{ label: "data" }]);
  await two.close();
  await using again = await cloud({ data });
  expect(again.world.volumes.size).toBe(1);
  expect(await refusal({ data: kept, load: state })).toContain("another emulator has it open");
  expect(await refusal({ data: await closed(), load: state })).toContain(
    "it holds an account already; name a new file for another one",
  );
  const wrong = newFile();
  expect(await refusal({ data: wrong, load: { ...state, version: 2 } })).toContain(
    "version: Is 2, by a newer emulator",
  );
  expect(bytes(wrong)).toEqual({});
});

function sql(data: string, text: string): void {
  const db = new DatabaseSync(data);
  db.exec(text);
  db.close();
}
