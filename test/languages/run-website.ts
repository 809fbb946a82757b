import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { run } from "../cli/command";
import { sandbox } from "../engine/sandbox";

/** The outputs of the website example, in every language. */
export const outputs = {
  website: "https://www.example.org",
  dataPath: "/dev/disk/by-id/scsi-0Compute_Volume_web-data",
  firewallId: expect.stringMatching(/^\d+$/),
  memory: 1024,
};

/** The first compilation of a Go program takes minutes. */
const timeoutMs = 900_000;

/**
 * Runs the commands of a user on the website example: install, preview, an update that follows the plan of the preview,
 * no changes, refresh, drift check and destroy. The folder has only the files of the program; `pulumi install` installs
 * what it needs. `prepare` is what the user has to do before.
 */
export async function runWebsite(
  folder: string,
  env: Record<string, string> = {},
  prepare: (project: string) => Promise<unknown> = async () => undefined,
): Promise<void> {
  await using box = await sandbox({ folder }, { config: { rootPass: { secret: "Correct-Horse-42" } }, env, timeoutMs });
  const { stack } = box;
  rmSync(join(stack.dir, "node_modules"), { recursive: true });
  const { dir: cwd, env: all } = stack;
  await prepare(cwd);
  await promisify(execFile)(process.env.PULUMI_CLI ?? "pulumi", ["install"], { cwd, env: all });
  const preview = await stack.preview(["--save-plan", "plan.json"]);
  expect(preview.changes).toEqual({ create: 6 });
  expect(preview.outputs).toMatchObject({ website: outputs.website });
  const up = await stack.up(["--plan", "plan.json"]);
  expect(up.changes).toEqual({ create: 6 });
  expect(up.outputs).toEqual(outputs);
  expect(box.holds()).toMatchObject({ instances: 1, volumes: 1, firewalls: 1, firewallDevices: 1, domainRecords: 1 });
  await stack.preview(["--expect-no-changes"]);
  await stack.refresh(["--expect-no-changes"]);
  const { code, stderr } = await run(["drift", "--stack", "test"], {
    env: { ...all, CLOUDINFRA_TOKEN: box.emulator.token },
    cwd,
  });
  expect(code, stderr).toBe(0);
  await stack.destroy();
  expect(box.holds()).toEqual({});
}
