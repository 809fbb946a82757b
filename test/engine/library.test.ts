import { readFileSync } from "node:fs";
import { mkdir, realpath, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blocksOf } from "../cli/markdown";
import { sandbox } from "./sandbox";

const root = join(__dirname, "../..");
const docs = readFileSync(join(root, "docs/component-libraries.md"), "utf8");

const component = `const { ComponentResource } = require("@pulumi/pulumi");
const { Volume } = require("pulumi-cloudinfra");
exports.Store = class extends ComponentResource {
  constructor(name) {
    super("acme:index:Store", name);
    new Volume(name, { region: "us-east" }, { parent: this });
  }
};`;

/** Installs packages in the layout of pnpm, in which a package finds only its declared dependencies. */
test("a component library in a strict workspace fails with an explanation until the program depends on the package", async () => {
  await using box = await sandbox("");
  const { stack } = box;
  await stack.write("index.js", `new (require("acme-infra").Store)("data");`);
  const modules = join(stack.dir, "node_modules");
  const store = join(modules, ".pnpm/acme-infra@1.0.0/node_modules");
  const own = await realpath(join(modules, "pulumi-cloudinfra"));
  await rm(join(modules, "pulumi-cloudinfra"));
  const { text: manifest = "" } = blocksOf(docs).find(({ file }) => file === "package.json") ?? {};
  await stack.write("node_modules/.pnpm/acme-infra@1.0.0/node_modules/acme-infra/package.json", manifest);
  await stack.write("node_modules/.pnpm/acme-infra@1.0.0/node_modules/acme-infra/index.js", component);
  await mkdir(join(store, "@pulumi"), { recursive: true });
  await symlink(await realpath(join(modules, "@pulumi/pulumi")), join(store, "@pulumi/pulumi"));
  await symlink(own, join(store, "pulumi-cloudinfra"));
  await symlink(join(store, "acme-infra"), join(modules, "acme-infra"));

  const { code, stdout, stderr } = await stack.up([], { mayFail: true });
  const { text: sentence = "" } = blocksOf(docs).find(({ language }) => language === "text") ?? {};
  expect(code).not.toBe(0);
  expect(stdout + stderr).toContain(sentence.trim().replace("/work/program", stack.dir));
  expect(stdout + stderr).not.toContain("Cannot find module");

  await symlink(own, join(modules, "pulumi-cloudinfra"));
  // The first update failed in its preview, so it has not created the component either.
  expect((await stack.up()).ops).toEqual({ "Store data": "create", "Volume data": "create" });
});
