import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addToken, digest } from "../../emulator/core/users";
import type { Run } from "../../testing/engine";
import { filesIn } from "../../testing/engine-project";
import { certificates } from "../lifecycle/kinds/certificates";
import { nightly } from "../nightly";
import { allKinds, allKindsConfig, edits, planted } from "./all-kinds";
import { ownCard } from "./more-kinds";
import { type Sandbox, sandbox, withoutPulumisOwn } from "./sandbox";

const token = "planted-token-7d1f";
const root = join(__dirname, "../..");
const own = "pulumi-nodejs:dynamic/cloudinfra:";

let box: Sandbox;
let before: ReturnType<Sandbox["holds"]>;
const runs: Run[] = [];

beforeAll(async () => {
  const emulator = { token };
  box = await sandbox(allKinds(), { config: await allKindsConfig(), emulator });
  await ownCard(box.emulator);
  before = box.holds();
  runs.push(await box.stack.up());
});
afterAll(() => box[Symbol.asyncDispose]());

test("a resource's state contains its inputs, its outputs and little else", async () => {
  const { resources = [] } = (await box.stack.export()).deployment;
  const sizes = resources.filter(({ type }) => type.startsWith(own)).map(sizeOf);
  expect(sizes.length).toBeGreaterThanOrEqual(Object.keys(edits).length);
  console.log(
    `bytes in addition to inputs and outputs: ${range(sizes.map(({ rest }) => rest))}, and ${range(sizes.map(({ trace }) => trace))} of Pulumi's stack trace`,
  );
  for (const { provider, rest } of sizes) {
    expect(provider).toBeLessThanOrEqual(100);
    expect(rest).toBeLessThanOrEqual(1024);
  }
});

test("no secret is in plain text in state, export, configuration, output or logs", async () => {
  const { stack } = box;
  await box.rewrite(allKinds({ edit: true }));
  runs.push(
    await stack.preview(["--diff"]),
    await stack.up(["--diff"]),
    await stack.refresh(),
    await stack.run(["stack", "output"]),
  );
  const loud = await stack.run(["up", "--yes", "--logtostderr", "-v=9"]);
  expect(loud.stderr.split("\n").length).toBeGreaterThan(500);
  runs.push(loud);

  const outputs = await stack.outputs();
  const kubeconfig = String(outputs.kubeconfig);
  const certificateKey = (await certificates)[0].sslKey;
  const secrets = {
    token,
    ...planted,
    "cluster's token": /token: (\S+)/.exec(kubeconfig)?.[1] ?? "",
    certificate: /certificate-authority-data: (\S+)/.exec(kubeconfig)?.[1] ?? "",
    kubeconfig: Buffer.from(kubeconfig).toString("base64"),
    "object storage": String(outputs.objectSecret),
    "OAuth client": String(outputs.oauthSecret),
    "private key": certificateKey.split("\n")[3] ?? "",
  };
  const written = { ...Object.fromEntries(runs.flatMap(printed)), ...(await filesIn(stack.home)) };
  written.export = JSON.stringify(await stack.export());
  expect(Object.keys(written)).toContain("project/Pulumi.test.yaml");
  expect(Object.keys(written)).toContainEqual(expect.stringMatching(/^state\/.*test\.json$/));

  for (const [secret, value] of Object.entries(secrets)) {
    expect(value.length, secret).toBeGreaterThan(10);
    const leaks = Object.keys(written).filter((name) => withoutPulumisOwn(written[name] ?? "").includes(value));
    expect(leaks, `${secret} in plain`).toEqual([]);
  }
});

nightly("another version of the package shows no changes and does not change state", async () => {
  const { stack } = box;
  const bagsBefore = await bags();
  const link = join(stack.dir, "node_modules/pulumi-cloudinfra");
  await rm(link);
  await nextVersion(link);
  await stack.preview(["--expect-no-changes"]);
  const up = await stack.up();
  expect(up.ops).toEqual({});
  await stack.refresh(["--expect-no-changes"]);
  expect(await bags()).toEqual(bagsBefore);
  await rm(link, { recursive: true });
  await symlink(root, link);
});

nightly("after the token is changed, a destroy uses the new one", async () => {
  const { stack, emulator } = box;
  const { world } = emulator;
  addToken(world, "planted-token-new");
  world.tokens.remove(digest(token));
  await stack.configure({ "cloudinfra:token": { secret: "planted-token-new" } });
  // `pulumi destroy` does not run the program by default, so it uses the old token, which the last update has stored in
  // state.
  const rejected = await stack.destroy([], { mayFail: true });
  expect(rejected.code).not.toBe(0);
  expect(rejected.stdout).toMatch(/401 Invalid Token .*--run-program/);
  const destroyed = await stack.destroy(["--run-program"]);
  expect(destroyed.changes?.delete).toBeGreaterThan(new Set(allKinds().match(/new cloudinfra\.\w+/g)).size);
  expect(box.holds()).toEqual(before);
});

const printed = ({ command, stdout, stderr }: Run, i: number): [string, string][] => [
  [`stdout of ${i}: ${command}`, stdout],
  [`stderr of ${i}: ${command}`, stderr],
];

type Resource = NonNullable<Awaited<ReturnType<Sandbox["stack"]["export"]>>["deployment"]["resources"]>[number];

/**
 * Sizes in bytes of the parts of a resource in state. Inputs, outputs and dependencies are not included, because their
 * sizes depend on the program.
 */
function sizeOf({ inputs, outputs, stackTrace, dependencies, propertyDependencies, ...rest }: Resource) {
  const { __provider: provider } = inputs as { __provider: string };
  return {
    provider: provider.length,
    rest: JSON.stringify(rest).length,
    trace: JSON.stringify(stackTrace ?? "").length,
  };
}

const range = (numbers: number[]): string => `${Math.min(...numbers)}–${Math.max(...numbers)}`;

/**
 * The inputs and outputs in state with decrypted secrets, because encrypting the same text twice has different results.
 */
async function bags(): Promise<unknown> {
  const { stdout } = await box.stack.run(["stack", "export", "--show-secrets"]);
  const { resources } = JSON.parse(stdout).deployment as { resources: Resource[] };
  return Object.fromEntries(resources.map(({ urn, inputs, outputs }) => [urn, { inputs, outputs }]));
}

/** Simulates a later version of the package: another version number, and another layout of the code. */
async function nextVersion(target: string): Promise<void> {
  await mkdir(target);
  const used = ["api", "provider", "sdk"];
  await Promise.all([
    ...used.map((folder) => cp(join(root, "dist", folder), join(target, "dist", folder), { recursive: true })),
    cp(join(root, "schema.json"), join(target, "schema.json")),
    symlink(join(root, "node_modules"), join(target, "node_modules")),
  ]);
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  await writeFile(join(target, "package.json"), JSON.stringify({ ...manifest, version: "9.9.9" }));
  for (const name of await readdir(join(target, "dist"), { recursive: true })) {
    if (!name.endsWith(".js")) continue;
    const file = join(target, "dist", name);
    const text = await readFile(file, "utf8");
    await writeFile(file, `// Reformatted.\n${text.replace(/^ +/gm, "\t").replace(/^\/\/.*$/gm, "")}`);
  }
}
