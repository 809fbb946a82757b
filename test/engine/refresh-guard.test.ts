import { expect, test } from "vitest";
import type { Run } from "../../testing/engine";
import { idOf } from "../lifecycle/accounts";
import { providers } from "./providers";
import { type Sandbox, sandbox } from "./sandbox";

const names = ["data-1", "data-2", "data-3", "data-4"];
const program = names.map((name) => `new cloudinfra.Volume("${name}", { region: "us-east" });`).join("\n");

const volumesIn = async ({ stack }: Sandbox): Promise<string[]> =>
  ((await stack.export()).deployment.resources ?? [])
    .filter(({ type }) => type.endsWith(":Volume"))
    .map(({ urn }) => urn.slice(urn.lastIndexOf("::") + 2))
    .sort();

const inOneLine = ({ stdout, stderr }: Run): string => `${stdout}${stderr}`.replaceAll(/\s+/g, " ");

test.each(providers("dynamic"))(
  "a refresh that misses all four volumes of a stack fails until the user confirms that they were deleted (%s)",
  async (provider) => {
    const env: Record<string, string> = {};
    await using box = await sandbox(program, { native: provider === "native", env });
    const { stack, emulator } = box;
    await stack.up();
    for (const { id } of emulator.world.volumes.all()) emulator.world.volumes.remove(id);

    // With --parallel 1, Pulumi waits for each read before it starts the next, so the missing volumes add up one by one.
    for (const args of [[], ["--parallel", "1"]]) {
      const failed = await stack.refresh(args, { mayFail: true });
      expect(failed.code, failed.command).not.toBe(0);
      expect(inOneLine(failed)).toContain(
        `none of the 4 objects that this refresh has looked for exists in account ${idOf(emulator)} at ${emulator.url}, so they do not count as deleted.`,
      );
      expect(inOneLine(failed)).toContain("set CLOUDINFRA_ACCEPT_ALL_DELETED=1 and run the command again");
      expect(await volumesIn(box), failed.command).toEqual(names);
    }

    env.CLOUDINFRA_ACCEPT_ALL_DELETED = "1";
    await stack.refresh();
    expect(await volumesIn(box)).toEqual([]);
  },
);
