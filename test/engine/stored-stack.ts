import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../emulator";
import { formerNames } from "../../provider/pulumi/handle";
import type { ConfigValue, Deployment } from "../../testing/engine";

/**
 * A stack with resources of all kinds for tests of compatibility: its state as an earlier version of the package has
 * written it, and a snapshot of its emulated account. `stack-2026-11-22.json` is from commit 0b2825d; the others were made
 * by the npm package of a release (`make release-check`).
 */
export interface StoredStack {
  /** Whether the native plugin manages the resources. */
  native?: boolean;
  /** The program of the stack, with the current names of the resource classes. */
  program: string;
  config: Record<string, ConfigValue>;
  deployment: Deployment;
  account: Snapshot;
}

const folder = join(__dirname, "fixtures");

/** The files of all stored stacks. */
export const storedStackNames = (): string[] => readdirSync(folder).sort();

export async function storedStack(name = "stack-2026-11-22.json"): Promise<StoredStack> {
  const stored: StoredStack = JSON.parse(await readFile(join(folder, name), "utf8"));
  const names = Object.entries(formerNames);
  const program = names.reduce((text, [now, former]) => text.replaceAll(`.${former}(`, `.${now}(`), stored.program);
  return { ...stored, program };
}
