import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, type TestContext, test } from "vitest";
import { connect } from "../../provider/client";
import { quickNpm, unreachableCode } from "../cli/registry";
import { nightly } from "../nightly";
import { sandbox } from "./sandbox";

const root = join(__dirname, "../..");
const about = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const oldest = "3.216.0";

test("the peer range is from the oldest tested version to the version of all tests", () => {
  const { "@pulumi/pulumi": range } = about.peerDependencies;
  const { "@pulumi/pulumi": newest } = about.devDependencies;
  expect(range).toBe(`^${oldest}`);
  expect(newest).toMatch(/^3\.\d+\.\d+$/);
});

const program = `
const { getVolumeOutput, LkeCluster, Volume } = require("pulumi-cloudinfra");
const data = new Volume("data", { region: "us-east", label: "data", size: 20 }, { customTimeouts: { create: "5m" } });
const pools = { small: { type: "g6-standard-1", count: 1 } };
const apps = new LkeCluster("apps", { region: "us-east", k8sVersion: "1.21", pools });
exports.size = getVolumeOutput({ volumeId: data.id }).size;
exports.kubeconfig = apps.kubeconfig;`;

nightly("up, drift by property and destroy work with the oldest @pulumi/pulumi", async (context) => {
  await using box = await sandbox("");
  const { stack, emulator } = box;
  await install(stack.dir, context);
  await stack.write("index.js", program);

  const up = await stack.up();
  expect(up.ops).toEqual({ "Volume data": "create", "LkeCluster apps": "create" });
  expect(up.outputs).toEqual({ size: 20, kubeconfig: "[secret]" });
  await stack.preview(["--expect-no-changes"]);

  const client = connect(emulator);
  const volumeId = Number(up.steps.find(({ name }) => name === "data")?.id);
  await client.api.volumes.update({ path: { volumeId }, body: { label: "by-hand" } });
  await client.close();
  const drift = await stack.refresh(["--preview-only", "--diff", "--expect-no-changes"], { mayFail: true });
  expect(drift.code).toBe(7);
  // Pulumi versions before the oldest supported version do not pass on the inputs that a read returns, so they would
  // report no changed property.
  const seen = await stack.preview(["--refresh", "--diff"]);
  expect(seen.ops).toMatchObject({ "Volume data": "update" });
  expect(seen.stdout).toMatch(/~ label\s*: "by-hand" => "data"/);
  await stack.destroy();
  expect(box.holds()).toEqual({});
});

/** Installs the oldest supported version of Pulumi and this package into a project, in the same folders as npm does. */
async function install(folder: string, { skip }: TestContext): Promise<void> {
  const modules = join(folder, "node_modules");
  await rm(modules, { recursive: true });
  const args = ["install", `@pulumi/pulumi@${oldest}`];
  const env = { ...process.env, ...quickNpm };
  await promisify(execFile)("npm", args, { cwd: folder, timeout: 120_000, env }).catch((error) => {
    const code = unreachableCode(String(error.stderr)) ?? (error.killed ? "timed out" : undefined);
    if (code !== undefined) skip(`npm is not reachable (${code}), so ${args.at(-1)} cannot be installed`);
    throw error;
  });
  const own = join(modules, "pulumi-cloudinfra");
  for (const part of ["package.json", "schema.json", "dist"])
    await cp(join(root, part), join(own, part), { recursive: true });
  const linked = [
    ...["typescript", "ts-node"].map((name) => [modules, name] as const),
    ...Object.keys(about.dependencies).map((name) => [join(own, "node_modules"), name] as const),
  ];
  for (const [target, name] of linked) {
    await mkdir(dirname(join(target, name)), { recursive: true });
    await symlink(join(root, "node_modules", name), join(target, name));
  }
}
