import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished } from "vitest";
import { type EmulatorOptions, startEmulator } from "../../../emulator";
import { cloud } from "../../contract/cloud";

/** The path of a data file in a new folder, which is deleted after the test. */
export function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "emulator-data-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "account.db");
}

export const volume = (label: string) => ({ body: { label, region: "us-east" } });

/** Copies the files that a running emulator would leave if it were killed. */
export function killed(data: string): string {
  const copy = newFile();
  for (const end of ["", "-wal", "-commits"]) copyFileSync(`${data}${end}`, `${copy}${end}`);
  return copy;
}

/** A data file with one volume, after a regular shutdown. */
export async function closed(): Promise<string> {
  const data = newFile();
  await using one = await cloud({ data });
  await one.send("POST /volumes", volume("data"));
  return data;
}

/** Converts a data file to version 1, which has no checksums, and executes more statements in it. */
export function version1(data: string, more = ""): void {
  sql(
    data,
    `ALTER TABLE rows RENAME TO checked;
    CREATE TABLE rows (
      place INTEGER PRIMARY KEY,
      tbl TEXT NOT NULL,
      id ANY NOT NULL,
      row TEXT NOT NULL,
      UNIQUE (tbl, id)
    ) STRICT;
    INSERT INTO rows SELECT place, tbl, id, row FROM checked ORDER BY place;
    DROP TABLE checked;
    DELETE FROM account WHERE name = 'seal';
    PRAGMA user_version = 1;
    ${more}`,
  );
  rmSync(`${data}-commits`);
}

export function sql(data: string, text: string): void {
  const db = new DatabaseSync(data);
  db.exec(text);
  db.close();
}

export const rejection = async (options: EmulatorOptions): Promise<string> => {
  const outcome = await startEmulator(options).catch((error: Error) => error);
  if (!(outcome instanceof Error)) await outcome.close();
  expect(outcome).toBeInstanceOf(Error);
  return (outcome as Error).message;
};

/** The contents of all files in the folder of the data file, which include SQLite's `-wal` and `-shm` files. */
export const bytes = (data: string): Record<string, Buffer> =>
  Object.fromEntries(readdirSync(dirname(data)).map((name) => [name, readFileSync(join(dirname(data), name))]));
