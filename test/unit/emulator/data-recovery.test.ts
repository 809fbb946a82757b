import {
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { snapshot } from "../../../emulator/core/snapshot";
import { recoverData } from "../../../emulator/recovery";
import { type Cloud, cloud, type TestResponse } from "../../contract/cloud";
import { bytes, closed, killed, newFile, rejection, sql, version1, volume } from "./data-files";

/** Two volumes, and an emulator that was killed after the second. */
async function twoVolumes(): Promise<string> {
  const data = newFile();
  await using one = await cloud({ data });
  await one.send("POST /volumes", volume("first"));
  await one.send("POST /volumes", volume("second"));
  return killed(data);
}

async function labels(data: string): Promise<string[]> {
  await using one = await cloud({ data });
  return one.world.volumes.all().map(({ label }) => label);
}

const advice = (data: string) =>
  `; restore a copy of it, or save what is intact with: npx cloudinfra emulator --data ${data} --recover NEWFILE`;

const message = (data: string, why: string) =>
  `the data file ${data} cannot be used: it is damaged (${why})${advice(data)}`;

test("reports how many commits a deleted log contained, and recovers the state before them", async () => {
  const data = await twoVolumes();
  rmSync(`${data}-wal`);
  expect(await rejection({ data })).toBe(message(data, "the last 2 commits are missing: it has 2 of 4 commits"));
  const to = newFile();
  const lines = recoverData(data, to);
  expect(lines.slice(1)).toEqual(["lost: the last 2 commits"]);
  expect(lines[0]).toMatch(new RegExp(`^${to} has \\d+ rows, as of commit 2 of ${data}$`));
  expect(await labels(to)).toEqual([]);
});

test("reports that the last commit is missing after the end of the log was cut off", async () => {
  const data = await twoVolumes();
  truncateSync(`${data}-wal`, statSync(`${data}-wal`).size - 1);
  expect(await rejection({ data })).toBe(message(data, "the last commit is missing: it has 3 of 4 commits"));
  const to = newFile();
  expect(recoverData(data, to).slice(1)).toEqual(["lost: the last commit"]);
  expect(await labels(to)).toEqual(["first"]);
});

test("recovers everything if only the file that records the commits is lost", async () => {
  const data = await twoVolumes();
  rmSync(`${data}-commits`);
  expect(await rejection({ data })).toBe(message(data, `${data}-commits is missing, so commits may be missing`));
  const to = newFile();
  expect(recoverData(data, to).slice(1)).toEqual([`lost: possibly the last commits: ${data}-commits is missing`]);
  expect(await labels(to)).toEqual(["first", "second"]);
});

test("reports a log and a record of another data file, and recovers the file without them", async () => {
  const data = await closed();
  const other = await twoVolumes();
  for (const end of ["-wal", "-commits"]) copyFileSync(`${other}${end}`, `${data}${end}`);
  expect(await rejection({ data })).toContain("it is damaged (");
  const to = newFile();
  expect(recoverData(data, to).slice(1)).toEqual([
    `lost: possibly the last commits: ${data}-commits belongs to another data file`,
    `lost: the contents of ${data}-wal, which is damaged, older, or of another data file`,
  ]);
  expect(await labels(to)).toEqual(["data"]);
});

test("a copy of the data file alone is enough if the emulator was stopped", async () => {
  const data = await closed();
  const copy = newFile();
  copyFileSync(data, copy);
  expect(await labels(copy)).toEqual(["data"]);
});

test("reports an older copy, and uses it after the recorded commits were deleted", async () => {
  const data = await closed();
  const copy = readFileSync(data);
  await (await cloud({ data })).close();
  writeFileSync(data, copy);
  const found = await rejection({ data });
  expect(found).toMatch(/it is damaged \(the last \d+ commits are missing: it has \d+ of \d+ commits\. /);
  expect(found).toContain(`If you restored an older copy on purpose, delete ${data}-commits)`);
  rmSync(`${data}-commits`);
  expect(await labels(data)).toEqual(["data"]);
});

test("names a changed row, and leaves it out with the rows that refer to it", async () => {
  const data = newFile();
  const one = await cloud({ data });
  const { body } = await one.send("POST /compute/instances", { body: { region: "us-east", type: "g6-nanode-1" } });
  one.settle();
  await one.send("POST /volumes", volume("free"));
  one.settle();
  await one.close();
  sql(data, `UPDATE rows SET row = replace(row, 'us-east', 'us-west') WHERE tbl = 'instances'`);
  const why = `the row ${body.id} of the table instances does not match its checksum`;
  expect(await rejection({ data })).toBe(message(data, why));
  const to = newFile();
  const lines = recoverData(data, to);
  expect(lines[1]).toBe(`lost: the row ${body.id} of the table instances`);
  const needs = `compute_id: There is no row ${body.id} in the table instances`;
  expect(lines).toContain(`left out: the row ${body.ipv4[0]} of the table addresses: ${needs}`);
  expect(await labels(to)).toEqual(["free"]);
});

test("recovers an intact file completely", async () => {
  const data = await closed();
  const before = bytes(data);
  const to = newFile();
  expect(recoverData(data, to)[1]).toBe("nothing is lost");
  expect(bytes(data)).toEqual(before);
  expect(await labels(to)).toEqual(["data"]);
  expect(() => recoverData(data, to)).toThrow(`the data file ${to} cannot be used: it exists already; name a new file`);
});

test("does not recover a file that is in use, does not exist, or has no intact row", async () => {
  const data = newFile();
  const to = newFile();
  expect(() => recoverData(data, to)).toThrow(`the data file ${data} cannot be used: it does not exist`);
  await using _ = await cloud({ data });
  expect(() => recoverData(data, to)).toThrow("another emulator has it open");
  const text = newFile();
  writeFileSync(text, "hello ".repeat(1_000));
  expect(() => recoverData(text, to)).toThrow(
    `the data file ${text} cannot be used: none of its rows is intact; restore a copy of it`,
  );
  expect(existsSync(to)).toBe(false);
});

test("a data file of zero bytes keeps its log, also when the recovery fails", async () => {
  const data = await twoVolumes();
  truncateSync(data, 0);
  const before = bytes(data);
  expect(await rejection({ data })).toContain("is damaged");
  expect(() => recoverData(data, newFile())).toThrow("none of its rows is intact");
  expect(bytes(data)).toEqual(before);
});

test("a file of version 1 gets checksums when it is opened", async () => {
  const data = await closed();
  version1(data);
  expect(await labels(data)).toEqual(["data"]);
  sql(data, `UPDATE rows SET row = replace(row, 'us-east', 'us-west') WHERE tbl = 'volumes'`);
  expect(await rejection({ data })).toContain("of the table volumes does not match its checksum");
});

test.each<[string, (data: string) => void, (data: string) => string]>([
  ["was deleted", (data) => rmSync(data), (data) => `${data} was deleted or moved`],
  ["was moved", (data) => renameSync(data, `${data}.old`), (data) => `${data} was deleted or moved`],
  [
    "was replaced by a copy",
    (data) => {
      copyFileSync(data, `${data}.copy`);
      renameSync(`${data}.copy`, data);
    },
    (data) => `${data} was replaced`,
  ],
  ["was truncated", (data) => truncateSync(data, 4096), (data) => `${data} was truncated`],
  ["lost its log", (data) => rmSync(`${data}-wal`), (data) => `${data}-wal was deleted or moved`],
  ["lost its record", (data) => rmSync(`${data}-commits`), (data) => `${data}-commits was deleted or moved`],
])("rejects writes to a file that %s while the emulator was using it, and still reads", async (_, spoil, why) => {
  const data = newFile();
  const one = await cloud({ data });
  await one.send("POST /volumes", volume("first"));
  spoil(data);
  // The emulator looks at its files every five milliseconds.
  await setTimeout(10);
  const reason = `it could not be written to ${data}: ${why(data)} while the emulator was using it. Save the account with GET /_emulator/state, then start the emulator with --load and a new --data file`;
  for (const label of ["second", "third"]) {
    const { status, body } = await one.send("POST /volumes", volume(label));
    expect(status).toBe(500);
    expect(body.errors[0].reason).toContain(reason);
  }
  expect((await one.send("GET /volumes")).body.data).toMatchObject([{ label: "first" }]);
  await expect(one.close()).rejects.toThrow("while the emulator was using it");
});

test.each<[string, (one: Cloud) => Promise<TestResponse>]>([
  ["an advance of the clock", ({ send }) => send("POST /_emulator/clock", { body: { seconds: 3600 } })],
  ["the end of all jobs", ({ send }) => send("POST /_emulator/clock", { body: { settle: true } })],
  ["a reset", ({ send }) => send("POST /_emulator/reset")],
  [
    "a snapshot of a later time",
    ({ send, world }) => {
      const state = snapshot(world);
      return send("PUT /_emulator/state", { body: { ...state, clock: state.clock + 3_600_000 } });
    },
  ],
])("undoes %s that cannot be written, together with the time", async (_, change) => {
  const data = newFile();
  const one = await cloud({ data });
  one.advance(60_000);
  await one.send("POST /volumes", volume("first"));
  const before = snapshot(one.world);
  rmSync(data);
  // The emulator looks at its files every five milliseconds.
  await setTimeout(10);
  const { status, body } = await change(one);
  const undone = `The change was undone: it could not be written to ${data}: `;
  expect([status, body.errors]).toEqual([500, [{ reason: expect.stringContaining(undone) }]]);
  expect(snapshot(one.world)).toEqual(before);
  await expect(one.close()).rejects.toThrow("while the emulator was using it");
});

test("rejects writes to a file into which an older copy was written", async () => {
  const data = await closed();
  const copy = readFileSync(data);
  const one = await cloud({ data });
  writeFileSync(data, copy);
  const { status, body } = await one.send("POST /volumes", volume("second"));
  expect([status, body.errors[0].reason]).toEqual([500, expect.stringContaining(`${data} was overwritten`)]);
});

test("only the user can read the record of the commits", async () => {
  expect(statSync(`${await closed()}-commits`).mode & 0o777).toBe(0o600);
});
