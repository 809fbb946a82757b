import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Snapshot } from "../../emulator";
import { formerNames } from "../../provider/heads/handle";
import type { ConfigValue, Deployment } from "../../testing/engine";
import { mutations, sandbox } from "./sandbox";

/** A stack of all kinds, as the package of 2026-11-22 (commit 0b2825d) left it, with the account that it belongs to. */
interface StoredStack {
  program: string;
  config: Record<string, ConfigValue>;
  deployment: Deployment;
  account: Snapshot;
}

/** The stored program with the names that kinds have now. */
const renamed = (program: string): string =>
  Object.entries(formerNames).reduce((text, [now, former]) => text.replaceAll(`.${former}(`, `.${now}(`), program);

test("a stack made by an earlier version of this package shows no change, and is destroyed", async () => {
  const file = join(__dirname, "fixtures/stack-2026-11-22.json");
  const { program, config, deployment, account }: StoredStack = JSON.parse(await readFile(file, "utf8"));
  await using box = await sandbox(renamed(program), { config, emulator: { load: account } });
  const { stack, emulator } = box;
  await stack.import(deployment);
  emulator.requests.clear();
  await stack.preview(["--expect-no-changes"]);
  await stack.refresh(["--preview-only", "--expect-no-changes", "--run-program"]);
  expect(mutations(emulator)).toEqual([]);
  await stack.up(["--expect-no-changes"]);
  await stack.destroy();
  expect(emulator.world.instances.all()).toEqual([]);
  expect(emulator.world.volumes.all()).toEqual([]);
});
