import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { snapshot } from "../../emulator/core/snapshot";
import { sandbox } from "../engine/sandbox";
import { type StoredStack, storedStack } from "../engine/stored-stack";
import { root, version } from "../languages/machine";

const execute = promisify(execFile);

test.each([
  ["dynamic", false],
  ["native", true],
] as const)(
  "a stack of all kinds, made by the packed npm package with the %s provider, is recorded for the upgrade tests of later versions",
  async (provider, native) => {
    const { program, config } = await storedStack();
    await using box = await sandbox(program, { config, native });
    const { stack, emulator } = box;
    rmSync(join(stack.dir, "node_modules"), { recursive: true });
    const tarball = join(process.env.RELEASE ?? "", `pulumi-cloudinfra-${version}.tgz`);
    const dependencies = {
      "pulumi-cloudinfra": `file:${tarball}`,
      "@pulumi/pulumi": "3.270.0",
      "ts-node": "10.9.2",
      typescript: "5.9.3",
    };
    await stack.write("package.json", JSON.stringify({ private: true, dependencies }));
    await execute("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund"], { cwd: stack.dir });
    await stack.up();
    await stack.preview(["--expect-no-changes"]);
    const recorded: StoredStack = {
      native,
      program,
      config,
      deployment: await stack.export(),
      account: snapshot(emulator.world),
    };
    expect(recorded.deployment.deployment.resources?.length).toBeGreaterThan(30);
    const file = join(root, `dist/release-${version}-${provider}.json`);
    writeFileSync(file, JSON.stringify(recorded));
  },
);
