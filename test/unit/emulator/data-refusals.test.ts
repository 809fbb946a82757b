import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cloud } from "../../contract/cloud";
import { bytes, closed, killed, newFile, rejection, sql, version1, volume } from "./data-files";

test("rejects a file that is in use, and its emulator keeps running", async () => {
  const data = newFile();
  await using one = await cloud({ data });
  await one.send("POST /volumes", volume("a"));
  expect(await rejection({ data })).toBe(
    `the data file ${data} cannot be used: another emulator has it open; stop that emulator, or use another file`,
  );
  expect((await one.send("POST /volumes", volume("b"))).status).toBe(200);
});

test.each<[string, (data: string) => void, string]>([
  [
    "that is empty",
    (data) => {
      rmSync(`${data}-commits`);
      writeFileSync(data, "");
    },
    "it is empty; delete it to create a new one",
  ],
  [
    "of text",
    (data) => {
      rmSync(`${data}-commits`);
      writeFileSync(data, "hello ".repeat(100));
    },
    "it is not a data file of the emulator; use another file",
  ],
  [
    "cut short",
    (data) => writeFileSync(data, readFileSync(data).subarray(0, 50)),
    "it is damaged (it is not a data file of the emulator); restore a copy of it, or save what is intact with: npx cloudinfra emulator --data",
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
  [
    "of another application",
    (data) => sql(data, "PRAGMA application_id = 7"),
    "it is damaged (it belongs to another application)",
  ],
  [
    "of a newer format",
    (data) => sql(data, "PRAGMA user_version = 3"),
    "it was written by a newer emulator (format 3; this emulator reads format 2); use the newer emulator, or another file",
  ],
  ["of an unknown format", (data) => sql(data, "PRAGMA user_version = 0"), "it is damaged (its format is not known)"],
  [
    "with a row that is not JSON",
    (data) => sql(data, "UPDATE rows SET row = '{' WHERE tbl = 'volumes'"),
    "it is damaged (",
  ],
  ["without a clock", (data) => sql(data, "DELETE FROM account WHERE name = 'clock'"), "it is damaged ("],
  [
    "of version 1 with a volume of no instance",
    (data) => version1(data, `UPDATE rows SET row = json_set(row, '$.compute_id', 7) WHERE tbl = 'volumes'`),
    "its account is inconsistent: tables.volumes.rows.0.compute_id: There is no row 7 in the table instances",
  ],
  [
    "of version 1 with a table of a newer emulator",
    (data) => version1(data, `UPDATE account SET value = json_set(value, '$.dreams', 1) WHERE name = 'next'`),
    "its account is inconsistent: tables.dreams: There is no such table",
  ],
])("rejects a file %s and leaves it unchanged", async (_, spoil, reason) => {
  const data = await closed();
  spoil(data);
  const before = bytes(data);
  expect(await rejection({ data })).toContain(`the data file ${data} cannot be used: ${reason}`);
  expect(bytes(data)).toEqual(before);
});

test("rejects an invalid file that was not closed properly, and leaves it unchanged", async () => {
  const running = newFile();
  const one = await cloud({ data: running });
  await one.send("POST /volumes", volume("data"));
  const data = killed(running);
  await one.close();
  writeFileSync(data, readFileSync(data).fill(0x5a, 4096));
  const before = bytes(data);
  expect(await rejection({ data })).toContain("it is damaged (");
  expect(bytes(data)).toEqual(before);
});

test("rejects a folder, and a file in a folder that does not exist", async () => {
  const folder = dirname(newFile());
  const path = join(folder, "folder");
  mkdirSync(path);
  expect(await rejection({ data: path })).toContain("it is not a file; name a file, or a path that does not exist yet");
  expect(await rejection({ data: join(folder, "none", "a.db") })).toContain(
    `there is no folder ${join(folder, "none")}`,
  );
});

test("names the file and the reason if its folder is read-only", async () => {
  const isRoot = process.getuid?.() === 0;
  // Root may write to every folder, so the emulator runs as another user, who may not read the folders in root's home.
  const folder = mkdtempSync(join(isRoot ? "/tmp" : tmpdir(), "read-only-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [stored, fresh] = [join(folder, "stored.db"), join(folder, "new.db")];
  const data = await closed();
  for (const end of ["", "-commits"]) copyFileSync(`${data}${end}`, `${stored}${end}`);
  const before = bytes(stored);
  const otherUser = 65_534;
  if (isRoot) for (const path of [folder, stored, `${stored}-commits`]) chownSync(path, otherUser, otherUser);
  chmodSync(folder, 0o555);
  if (isRoot) process.seteuid?.(otherUser);
  try {
    expect(await rejection({ data: stored })).toBe(
      `the data file ${stored} cannot be used: it cannot be written (attempt to write a readonly database)`,
    );
    expect(await rejection({ data: fresh })).toMatch(
      /^the data file \/.*\/new\.db cannot be used: it cannot be created \(EACCES: permission denied, .*\); use a file in another folder$/,
    );
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(folder, 0o755);
  }
  expect(bytes(stored)).toEqual(before);
});

test("a snapshot fills a new file, and no other", async () => {
  const stored = await closed();
  await using one = await cloud({ data: stored });
  const state = (await one.send("GET /_emulator/state")).body;
  const data = newFile();
  const two = await cloud({ data, load: state });
  expect(two.world.volumes.all()).toMatchObject([{ label: "data" }]);
  await two.close();
  await using again = await cloud({ data });
  expect(again.world.volumes.size).toBe(1);
  expect(await rejection({ data: stored, load: state })).toContain("another emulator has it open");
  expect(await rejection({ data: await closed(), load: state })).toContain(
    "it already contains an account; use a new file",
  );
  const wrong = newFile();
  expect(await rejection({ data: wrong, load: { ...state, version: 2 } })).toContain(
    "version: Must be 1: version 2 was written by a newer emulator",
  );
  expect(bytes(wrong)).toEqual({});
});
