import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root } from "./template-project";

const execute = promisify(execFile);

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
