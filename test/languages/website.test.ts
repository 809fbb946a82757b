import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { parse, stringify } from "yaml";
import { goModuleZip } from "../../tools/release/sdks";
import { execute, goProxy, type Machine, machine, removeFromGoCache, root, sdk, version } from "./machine";
import { runWebsite } from "./run-website";

/** The website example in each language, in a folder with the files of the program and a packed SDK. */
let prepared: Machine;
let packed: string;
/** The file that `npm pack` writes. */
let tarball: string;
beforeAll(async () => {
  prepared = await machine();
  packed = join(prepared.folder, "packed");
  mkdirSync(packed);
  await execute("npm", ["pack", "--silent", "--pack-destination", packed], { cwd: root });
  tarball = join(packed, readdirSync(packed)[0] ?? "");
});
afterAll(() => prepared[Symbol.dispose]());

/** Copies the example, and changes one of its files. */
function copied(example: string, file: string, edited: (text: string) => string, name = example): string {
  const program = join(prepared.folder, `website-${name}`);
  cpSync(join(root, "examples/website", example), program, { recursive: true });
  const text = readFileSync(join(program, file), "utf8");
  const changed = edited(text);
  expect(changed).not.toBe(text);
  writeFileSync(join(program, file), changed);
  return program;
}

// Packages in npm's cache are accepted, so that the tests run without a network.
const npm = { npm_config_prefer_offline: "true", npm_config_audit: "false", npm_config_fund: "false" };
const npmInstall = (cwd: string) => execute("npm", ["install"], { cwd, env: { ...process.env, ...npm } });
const commands = "pulumi install, preview, up with its plan, no changes, refresh, no drift, destroy";

test.each(["typescript", "typescript-native"])(`%s: ${commands}`, async (example) => {
  const program = copied(example, "package.json", (text) => text.replace(/file:[^"]*/, `file:${tarball}`));
  // Pulumi checks the path of a plugin in `node_modules` before it installs anything, as docs/providers.md says.
  await runWebsite(program, npm, example === "typescript-native" ? npmInstall : undefined);
});

test(`python, in a virtual environment: ${commands}`, async () => {
  const { interpreter, env } = prepared;
  await execute(interpreter, ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", packed, sdk("python")]);
  const wheel = readdirSync(packed).find((file) => file.endsWith(".whl")) ?? "";
  const program = copied("python", "requirements.txt", (text) => text.replace("../sdks/python", join(packed, wheel)));
  // The Python host that is built here does not know the option `virtualenv`, so the environment is activated instead.
  const venv = join(prepared.folder, "venv");
  await execute(interpreter, ["-m", "venv", venv]);
  await execute(join(venv, "bin/python"), ["-m", "pip", "install", "--quiet", "-r", join(program, "requirements.txt")]);
  const { PYTHONPATH: _, ...own } = env;
  await runWebsite(program, { ...own, PATH: `${join(venv, "bin")}:${env.PATH}` });
});

test(`go, from the module zip of a release: ${commands}`, async () => {
  const zip = goModuleZip({ root, version, out: packed });
  const program = copied("go", "go.mod", (text) => text.replace(/^replace .*\n/m, ""));
  onTestFinished(removeFromGoCache);
  await runWebsite(program, { ...prepared.env, ...(await goProxy(zip, join(prepared.folder, "go-proxy"))) });
});

test(`yaml, with the plugin's executable: ${commands}`, async () => {
  const program = copied("yaml", "Pulumi.yaml", (text) => text.replace("description: A", "description: The"));
  await runWebsite(program, prepared.env);
});

test(`yaml, with the npm package: ${commands}`, async () => {
  const packages = { cloudinfra: "./node_modules/pulumi-cloudinfra" };
  const program = copied("yaml", "Pulumi.yaml", (text) => stringify({ ...parse(text), packages }), "yaml-npm");
  const dependencies = { "pulumi-cloudinfra": `file:${basename(tarball)}` };
  cpSync(tarball, join(program, basename(tarball)));
  writeFileSync(join(program, "package.json"), JSON.stringify({ private: true, dependencies }));
  await runWebsite(program, {}, npmInstall);
});
