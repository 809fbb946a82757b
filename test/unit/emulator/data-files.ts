import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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
  copyFileSync(data, copy);
  copyFileSync(`${data}-wal`, `${copy}-wal`);
  return copy;
}

/** A data file with one volume, after a regular shutdown. */
export async function closed(): Promise<string> {
  const data = newFile();
  await using one = await cloud({ data });
  await one.send("POST /volumes", volume("data"));
  return data;
}

export const refusal = async (options: EmulatorOptions): Promise<string> => {
  const outcome = await startEmulator(options).catch((error: Error) => error);
  if (!(outcome instanceof Error)) await outcome.close();
  expect(outcome).toBeInstanceOf(Error);
  return (outcome as Error).message;
};

/** The contents of all files in the folder of the data file, which include SQLite's `-wal` and `-shm` files. */
export const bytes = (data: string): Record<string, Buffer> =>
  Object.fromEntries(readdirSync(dirname(data)).map((name) => [name, readFileSync(join(dirname(data), name))]));
