import { expect, test } from "vitest";
import { ownCard } from "./more-kinds";
import { mutations, sandbox } from "./sandbox";
import { storedStack, storedStackNames } from "./stored-stack";

test.each(storedStackNames())(
  "the stack in %s, of an earlier version, shows no changes and can be destroyed",
  async (name) => {
    const { native = false, program, config, deployment, account } = await storedStack(name);
    await using box = await sandbox(program, { config, native, emulator: { load: account } });
    const { stack, emulator } = box;
    await stack.import(deployment);
    emulator.requests.clear();
    await stack.preview(["--expect-no-changes"]);
    await stack.refresh(["--preview-only", "--expect-no-changes", "--run-program"]);
    expect(mutations(emulator)).toEqual([]);
    await stack.up(["--expect-no-changes"]);
    await ownCard(emulator);
    await stack.destroy();
    expect(emulator.world.instances.all()).toEqual([]);
    expect(emulator.world.volumes.all()).toEqual([]);
  },
);
