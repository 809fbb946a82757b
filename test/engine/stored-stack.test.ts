import { expect, test } from "vitest";
import { mutations, sandbox } from "./sandbox";
import { storedStack } from "./stored-stack";

test("a stack of an earlier version of this package shows no changes and can be destroyed", async () => {
  const { program, config, deployment, account } = await storedStack();
  await using box = await sandbox(program, { config, emulator: { load: account } });
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
