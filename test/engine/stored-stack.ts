import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../emulator";
import { formerNames } from "../../provider/pulumi/handle";
import type { ConfigValue, Deployment } from "../../testing/engine";

/**
 * A stack with resources of all kinds for tests of compatibility: its state as an earlier version of the package has
 * written it (2026-11-22, commit 0b2825d), and a snapshot of its emulated account.
 */
export interface StoredStack {
  /** The program of the stack, with the current names of the resource classes. */
  program: string;
  config: Record<string, ConfigValue>;
  deployment: Deployment;
  account: Snapshot;
}

export async function storedStack(): Promise<StoredStack> {
  const stored: StoredStack = JSON.parse(await readFile(join(__dirname, "fixtures/stack-2026-11-22.json"), "utf8"));
  const names = Object.entries(formerNames);
  const program = names.reduce((text, [now, former]) => text.replaceAll(`.${former}(`, `.${now}(`), stored.program);
  return { ...stored, program };
}
