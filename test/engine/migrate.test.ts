import { readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ProviderType } from "../../stack/migration";
import { run } from "../cli/command";
import { blocksOf } from "../cli/markdown";
import { nightly } from "../nightly";
import { mutations, type Sandbox, sandbox } from "./sandbox";
import { storedStack } from "./stored-stack";

const command = (words: readonly string[], { stack }: Sandbox) =>
  run([...words, "--stack", "test"], { env: stack.env, cwd: stack.dir });

const typesIn = async ({ stack }: Sandbox): Promise<string[]> =>
  ((await stack.export()).deployment.resources ?? []).map(({ type }) => type);

nightly(
  "all kinds are converted to the native plugin and back without a change, and can be destroyed there",
  async () => {
    const { program, config, deployment, account } = await storedStack();
    await using box = await sandbox(program, { config, emulator: { load: account } });
    const { stack, emulator } = box;
    // The stored state has the address of the emulator of that time, and no account.
    const text = JSON.stringify(deployment).replaceAll(/http:\/\/127\.0\.0\.1:\d+\/v4/g, emulator.url);
    await stack.import(JSON.parse(text));
    emulator.requests.clear();
    const move = async (to: ProviderType): Promise<void> => {
      expect(await command(["migrate", "--to", to], box)).toMatchObject({ code: 0, stdout: "" });
      await box.rewrite(program, to);
      await stack.preview(["--expect-no-changes"]);
      await stack.refresh(["--preview-only", "--expect-no-changes", "--run-program"]);
    };
    await move("native");
    const native = [...program.matchAll(/new cloudinfra\.(\w+)\(/g)].map(([, kind]) => `cloudinfra:index:${kind}`);
    expect(await typesIn(box)).toEqual(expect.arrayContaining(native));
    await move("dynamic");
    expect((await typesIn(box)).filter((type) => /^(cloudinfra:|pulumi:providers:cloudinfra)/.test(type))).toEqual([]);
    await move("native");
    await stack.up(["--expect-no-changes"]);
    expect(mutations(emulator)).toEqual([]);
    await stack.destroy();
    expect([...emulator.world.instances.all(), ...emulator.world.volumes.all()]).toEqual([]);
  },
);

/**
 * A program in whose state the URNs of migrated resources occur in parents, dependencies, aliases and outputs of other
 * resources. It also has resources of other packages.
 */
const named = (size: number): string => `
const pulumi = require("@pulumi/pulumi");
class Group extends pulumi.ComponentResource {
  constructor(name) {
    super("my:index:Group", name);
    const options = { parent: this, protect: true, aliases: [{ name: "former" }], customTimeouts: { create: "10m" } };
    this.data = new cloudinfra.Volume("data", { label: "data", region: "us-east", size: ${size} }, options);
    const soa = { type: "master", soaEmail: "a@example.org", description: this.data.filesystemPath };
    new cloudinfra.Domain("zone", { domain: "shop.example.org", ...soa }, { parent: this.data });
    this.registerOutputs({ data: this.data });
  }
}
const { data } = new Group("group");
const hidden = pulumi.secret("planted-secret");
const logs = new cloudinfra.Volume("logs", { label: hidden, region: "us-east", tags: [hidden] }, { dependsOn: data });
cloudinfra.Volume.get("read", data.id);
new pulumi.dynamic.Resource({ create: async () => ({ id: "1", outs: {} }) }, "other", { urn: data.urn }, { parent: data });
exports.urn = data.urn;`;

test("docs/providers.md: a converted stack keeps its parents, aliases, options, secrets and resources of other packages", async () => {
  await using box = await sandbox(named(20));
  const { stack, emulator } = box;
  await stack.up();
  const before = await stack.export();
  // If a dynamic resource changes, Pulumi considers all of its outputs unknown in the preview, so the domain that uses
  // one of them also shows an update.
  await box.rewrite(named(30));
  expect((await stack.preview()).ops).toMatchObject({ "Volume data": "update", "Domain zone": "update" });
  await box.rewrite(named(20));
  emulator.requests.clear();
  const moving = readFileSync(join(__dirname, "../../docs/providers.md"), "utf8").split("\n## Move a stack")[1] ?? "";
  const lines = blocksOf(moving.split("\n## ")[0] ?? "")
    .filter(({ language }) => language === "sh")
    .flatMap(({ text }) => text.trim().split("\n"));
  expect(lines.length).toBeGreaterThan(4);
  let backup = "";
  for (const line of lines) {
    const [program = "", ...words] = line.replace("BACKUP", backup).split(" ");
    if (program === "pulumi") {
      await stack.run(words);
      continue;
    }
    const { code, stderr } = await command(words.slice(1), box);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('Volume "data" (');
    if (line.includes("--dry-run")) expect(await stack.export()).toEqual(before);
    else {
      backup = /(?<=saved in )\S+\.json/.exec(stderr)?.[0] ?? "";
      expect((await stat(backup)).mode & 0o777).toBe(0o600);
      await box.rewrite(named(20), /--to (dynamic|native)/.exec(line)?.[1] as ProviderType);
    }
  }
  expect(mutations(emulator)).toEqual([]);
  expect(JSON.stringify(await stack.export())).not.toContain("planted-secret");

  // The commands from docs/providers.md have converted the stack to the native plugin and back, and have finally undone the
  // second conversion by restoring the backup of the state. So the native plugin manages the stack again.
  await box.rewrite(named(30), "native");
  expect((await stack.preview()).ops).toEqual({ "Volume data": "update", "Volume read": "read" });
  expect((await stack.up()).ops).toMatchObject({ "Volume data": "update" });
  expect(JSON.stringify(await stack.export())).not.toContain("planted-secret");
  const rejected = await stack.destroy([], { mayFail: true });
  expect(rejected.stdout).toContain("protected");
  await stack.run(["state", "unprotect", "--all", "--yes"]);
  await stack.destroy();
  expect(box.holds()).toEqual({});
});
