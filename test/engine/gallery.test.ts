import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { startEmulator } from "../../emulator";
import { connect } from "../../provider/client";
import { kinds } from "../../provider/resources";
import type { ConfigValue, Run } from "../../testing/engine";
import { run } from "../cli/command";
import { newFolder } from "../folder";
import { more, rowsOf } from "../rows";
import { expectPicture } from "./gallery-picture";
import { type Sandbox, sandbox } from "./sandbox";

const root = join(__dirname, "../..");
const execute = promisify(execFile);
const place = newFolder();

const read = (file: string): string => readFileSync(join(root, "examples", file), "utf8");

const filesOf = (pattern: string): string[] =>
  globSync(pattern, { cwd: join(root, "examples"), exclude: ["**/node_modules"] }).sort();

/** The examples with a page of their own. */
const gallery = filesOf("*/README.md").map(dirname);

test("examples/README.md shows every example with its picture, and the docs site has the page of each", () => {
  expect(gallery).toHaveLength(7);
  for (const example of gallery) {
    const link = `(${example}/picture.svg)](${example}/README.md)`;
    expect(read("README.md"), example).toContain(link);
    expect(read(`${example}/README.md`), example).toMatch(/!\[Picture: .+\]\(picture\.svg\)/);
    expect(read(`../docs/examples/${example}.md`)).toBe(`<!--@include: ../../examples/${example}/README.md-->\n`);
  }
});

test("no example has a path of this repository", () => {
  const manifests = filesOf("**/package.json");
  expect(manifests.length).toBeGreaterThan(gallery.length);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const file of manifests)
    expect(JSON.parse(read(file)).dependencies["pulumi-cloudinfra"], file).toBe(
      `file:../pulumi-cloudinfra-${version}.tgz`,
    );
});

test("the programs and tests of all examples compile in strict mode", async () => {
  const projects = filesOf("**/tsconfig.json");
  expect(projects.length).toBeGreaterThan(gallery.length);
  const tsc = join(root, "node_modules/typescript-7/bin/tsc");
  for (const project of projects) {
    expect(JSON.parse(read(project)).compilerOptions, project).toMatchObject({ strict: true });
    const args = [tsc, "--noEmit", "-p", join(root, "examples", project)];
    const { stdout } = await execute(process.execPath, args).catch((error) => error);
    expect(stdout, project).toBe("");
  }
});

// The projects that `pulumi new` creates from the examples, without their packages.
beforeAll(async () => {
  for (const example of gallery) {
    const args = ["new", join(root, "examples", example), "--generate-only", "--yes", "--dir", join(place, example)];
    await execute("pulumi", args);
  }
});

const rootPass = { secret: "Correct-Horse-42" };
const rootToken = { secret: "emulator" };
const settings = { region: "us-east", domain: "example.org" };

/** A stack with the project of an example. The types are checked by another test. */
const boxOf = (example: string, config: Record<string, ConfigValue>): Promise<Sandbox> =>
  sandbox({ folder: join(place, example) }, { config, env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" } });

/**
 * Updates the stack of an example, and checks that neither the program nor the account differs from it afterwards. The
 * example's picture has to show the resources of the stack, and `others`.
 */
async function expectUp(
  { stack, emulator }: Sandbox,
  {
    example,
    scope = ["--stack", "test"],
    options = [],
    others = [],
  }: { example: string; scope?: string[]; options?: string[]; others?: string[] },
): Promise<Run> {
  const up = await stack.up();
  expect(up.diagnostics.filter(({ severity }) => severity === "warning" || severity === "error")).toEqual([]);
  await stack.preview(["--expect-no-changes"]);
  const env = { ...stack.env, CLOUDINFRA_TOKEN: emulator.token };
  const args = ["drift", ...scope, "--format", "json", ...options];
  const { code, stdout, stderr } = await run(args, { env, cwd: stack.dir });
  expect(code, stderr).toBe(0);
  const resources = Object.keys(up.ops).filter((resource) => (resource.split(" ")[0] ?? "") in kinds);
  expect(await expectPicture(example, stdout)).toEqual([...resources, ...others].sort());
  return up;
}

/** A certificate and its key, as docs and pages create them. */
async function certificate(host: string): Promise<{ cert: string; key: string }> {
  const files = { key: join(place, "key.pem"), cert: join(place, "cert.pem") };
  const line = /^openssl .*$/m.exec(read("static-site/README.md"))?.[0] ?? "";
  expect(line).toContain(`/CN=${host}`);
  await execute("sh", ["-c", line], { cwd: place });
  return { cert: readFileSync(files.cert, "utf8"), key: readFileSync(files.key, "utf8") };
}

test("the example static-site: uploads every file of the folder, and gives the bucket the certificate of its domain", async () => {
  const { cert, key } = await certificate("www.example.org");
  const config = { cluster: "us-east-1", domain: "example.org", cert, key: { secret: key } };
  await using box = await boxOf("static-site", config);
  const { outputs } = await expectUp(box, { example: "static-site" });
  expect(outputs).toMatchObject({ website: "https://www.example.org/index.html", secretKey: "[secret]" });
  expect(box.holds()).toMatchObject({ objectStorageBuckets: 1, objectStorageObjects: 2, domains: 1, domainRecords: 2 });
  await box.stack.destroy();
  expect(box.holds()).toEqual({});
});

test("the example team-account: a firewall protects servers by their tag, and destroy deletes protected objects only after `state unprotect`", async () => {
  await using box = await boxOf("team-account", { ...settings, rootPass });
  const { stack, emulator } = box;
  const { api, close } = connect(emulator);
  await api.instances.create({
    body: { region: "us-east", type: "g6-nanode-1", label: "legacy", tags: ["public-web"] },
  });
  await close();
  const before = box.holds();
  await expectUp(box, { example: "team-account", options: ["--unmanaged"], others: ["Instance legacy"] });
  expect(emulator.world.firewallDevices.all()).toHaveLength(1);
  const rejected = await stack.destroy([], { mayFail: true });
  expect(rejected.stdout + rejected.stderr).toMatch(/wiki.* cannot be deleted|protected/);
  await stack.run(["state", "unprotect", "--all", "--yes"]);
  await stack.destroy();
  expect(box.holds()).toEqual(before);
});

test("the example two-accounts: each has its own server, and production has the domain of both", async () => {
  // Without another seed, the objects of both accounts would have the same ids.
  await using staging = await startEmulator({ pace: "instant", seed: 2 });
  const fresh = rowsOf(staging);
  await using box = await boxOf("two-accounts", { productionToken: rootToken, stagingToken: rootToken });
  await box.stack.configure({ productionUrl: box.emulator.url, stagingUrl: staging.url });
  await expectUp(box, { example: "two-accounts", scope: ["--all-stacks"] });
  expect(box.holds()).toMatchObject({ instances: 1, firewalls: 1, domains: 1, domainRecords: 2 });
  expect(more(rowsOf(staging), fresh)).toMatchObject({ instances: 1, firewalls: 1, firewallDevices: 1 });
  expect(staging.world.instances.all()).toMatchObject([{ tags: ["website", "staging"] }]);
  await box.stack.destroy();
  expect(box.holds()).toEqual({});
  expect(more(rowsOf(staging), fresh)).toEqual({});
});

test("the example component-library: its program makes two web services and a database", async () => {
  await using box = await boxOf("component-library", { ...settings, rootPass });
  await expectUp(box, { example: "component-library" });
  expect(box.holds()).toMatchObject({ instances: 5, volumes: 1, nodeBalancers: 2, nodeBalancerNodes: 4, firewalls: 3 });
  await box.stack.destroy();
  expect(box.holds()).toEqual({});
});

test("the tests of the component library pass: with mocks, and on the emulator", async () => {
  const { scripts } = JSON.parse(read("component-library/package.json"));
  const files = ["components/components.test.ts", "index.test.ts"];
  expect(scripts.test).toBe(files.map((file) => `ts-node ${file}`).join(" && "));
  for (const file of files) {
    const args = ["--require", "ts-node/register/transpile-only", file];
    const { stdout } = await execute(process.execPath, args, { cwd: join(root, "examples/component-library") });
    expect(stdout, file).toMatch(/^\S pass [1-9]\d*\n\S fail 0$/m);
  }
});

test("the example kubernetes: without the app, creates the cluster and the domain", async () => {
  await using box = await boxOf("kubernetes", settings);
  const { outputs } = await expectUp(box, { example: "kubernetes" });
  expect(outputs).toMatchObject({ endpoint: expect.stringMatching(/^https:/), kubeconfig: "[secret]" });
  expect(box.holds()).toMatchObject({ lkeClusters: 1, lkePools: 2, lkeNodes: 4, domains: 1 });
  await box.stack.destroy();
  expect(box.holds()).toEqual({});
});

/** Runs the example's program with Pulumi's mocks, and prints the resources that it declares. */
const mocked = (config: Record<string, string>): string => `
const pulumi = require("@pulumi/pulumi");
const declared = [];
const outputs = { kubeconfig: "the kubeconfig", status: { loadBalancer: { ingress: [{ ip: "203.0.113.9" }] } } };
pulumi.runtime.setMocks({
  newResource({ type, name, inputs }) {
    declared.push({ type, name, inputs });
    return { id: String(declared.length), state: { ...inputs, ...outputs } };
  },
  call: () => ({}),
}, "kubernetes", "dev");
pulumi.runtime.setAllConfig(${JSON.stringify(config)});
require("./index");
process.once("beforeExit", () => console.log(JSON.stringify(declared)));`;

async function declaredWith(app: string): Promise<Map<string, Record<string, unknown>>> {
  const config = { "kubernetes:region": "us-east", "kubernetes:domain": "example.org", "kubernetes:app": app };
  const args = ["--require", "ts-node/register/transpile-only", "--eval", mocked(config)];
  const { stdout } = await execute(process.execPath, args, { cwd: join(root, "examples/kubernetes") });
  const declared = JSON.parse(stdout) as { type: string; name: string; inputs: Record<string, unknown> }[];
  return new Map(declared.map(({ type, name, inputs }) => [`${type} ${name}`, inputs]));
}

// The emulator has no Kubernetes behind its clusters, and the plugin of @pulumi/kubernetes is not installed everywhere.
test("the example kubernetes: the app is deployed into the cluster, and its load balancer gets a record", async () => {
  const declared = await declaredWith("cluster");
  expect([...declared.keys()].sort()).toEqual([
    "cloudinfra:index:Domain zone",
    "cloudinfra:index:DomainRecord hello",
    "cloudinfra:index:LkeCluster apps",
    "kubernetes:apps/v1:Deployment hello",
    "kubernetes:core/v1:Namespace hello",
    "kubernetes:core/v1:Service hello",
    "pulumi:providers:kubernetes hello",
  ]);
  expect(declared.get("pulumi:providers:kubernetes hello")).toEqual({ kubeconfig: "the kubeconfig" });
  expect(declared.get("cloudinfra:index:DomainRecord hello")).toMatchObject({ name: "hello", target: "203.0.113.9" });
  expect(declared.get("kubernetes:apps/v1:Deployment hello")).toMatchObject({
    spec: { selector: { matchLabels: { app: "hello" } }, template: { metadata: { labels: { app: "hello" } } } },
  });
});

test("the example kubernetes: manifests are written to a folder without a cluster and without a record", async () => {
  const declared = await declaredWith("files");
  expect(declared.get("pulumi:providers:kubernetes hello")).toEqual({ renderYamlToDirectory: "manifests" });
  expect(declared.has("cloudinfra:index:DomainRecord hello")).toBe(false);
  await expect(declaredWith("clutser")).rejects.toThrow(/app.*clutser/);
});
