import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { type EmulatorOptions, startEmulator } from "../../../emulator";
import { cloud } from "../../contract/cloud";

export const folder = mkdtempSync(join(tmpdir(), "emulator-data-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
export const newFile = (): string => join(folder, `account-${++files}.db`);

export const volume = (label: string) => ({ body: { label, region: "us-east" } });

/** The files that a killed emulator would leave, while it still runs. */
export function killed(data: string): string {
  const copy = newFile();
  copyFileSync(data, copy);
  copyFileSync(`${data}-wal`, `${copy}-wal`);
  return copy;
}

/** A file with one volume, closed in good order. */
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

/** The data file and the files next to it, as bytes. */
export const bytes = (data: string): Record<string, Buffer> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => join(folder, name).startsWith(data))
      .map((name) => [name, readFileSync(join(folder, name))]),
  );
