import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { packageChecks } from "../../../cli/doctor/packages";
import { readProject } from "../../../cli/doctor/project";
import { version } from "../../../provider/client/version";
import { newFolder, writeIn } from "../../folder";

const root = newFolder();
let folder: string;

const write = (file: string, text: string): void => writeIn(folder, file, text);
const installed = (name: string, version: string, place = ""): void =>
  write(join(place, "node_modules", name, "package.json"), JSON.stringify({ name, version }));

const program = 'import { Volume } from "pulumi-cloudinfra";';

beforeEach(() => {
  folder = mkdtempSync(join(root, "project-"));
  write("Pulumi.yaml", "name: shop\nruntime: nodejs\n");
  installed("pulumi-cloudinfra", version);
  installed("@pulumi/pulumi", "3.270.0");
});

async function checks() {
  const { project } = await readProject(folder, true);
  if (!project) throw new Error("the project was not read");
  return packageChecks(project);
}

const problems = async () =>
  (await checks()).filter(({ result }) => result === "problem").map(({ name, message }) => [name, message]);

/** Whether the packages that TypeScript programs need are checked. */
const isTypeScript = async () => (await checks()).some(({ name }) => name === "TypeScript");

test("a program in JavaScript needs no TypeScript, whatever other folders contain", async () => {
  write("index.js", program);
  write("web/src/main.ts", "export {};");
  expect(await problems()).toEqual([]);
  expect(await isTypeScript()).toBe(false);
});

test.each([
  ["index.ts", {}, true],
  ["index.js, which Node.js prefers", { "index.js": "" }, false],
  ["main of package.json", { "package.json": '{ "main": "bin/shop.js" }', "bin/shop.js": "" }, false],
  ["main of package.json without an ending", { "package.json": '{ "main": "bin/shop" }', "bin/shop.js": "" }, false],
  ["main of package.json, a folder", { "package.json": '{ "main": "./bin/" }', "bin/index.js": "" }, false],
  ["main of package.json that does not exist", { "package.json": '{ "main": "bin/shop.js" }' }, true],
  ["a package.json that is not valid", { "package.json": "{" }, true],
  [
    "exports of package.json",
    { "package.json": '{ "exports": "./shop.js", "main": "index.ts" }', "shop.js": "" },
    false,
  ],
  [
    "exports with conditions",
    { "package.json": '{ "exports": { ".": { "import": "./shop.js" } } }', "shop.js": "" },
    false,
  ],
  [
    "main of Pulumi.yaml, a file",
    { "Pulumi.yaml": "name: a\nruntime: nodejs\nmain: bin/a.js\n", "bin/a.js": "" },
    false,
  ],
  [
    "main of Pulumi.yaml, a folder",
    { "Pulumi.yaml": "name: a\nruntime: nodejs\nmain: bin\n", "bin/index.js": "" },
    false,
  ],
  [
    "main of the package.json above the folder that Pulumi.yaml names",
    {
      "Pulumi.yaml": "name: a\nruntime: nodejs\nmain: bin\n",
      "bin/index.ts": "",
      "package.json": '{ "main": "bin/a.js" }',
      "bin/a.js": "",
    },
    false,
  ],
  ["package.yaml of pnpm", { "package.yaml": "main: bin/shop.js\n", "bin/shop.js": "" }, false],
  ["package.json, which is preferred to package.yaml", { "package.json": "{}", "package.yaml": "main: a.js\n" }, true],
  [
    "a folder, not the file of the same name next to it",
    { "Pulumi.yaml": "name: a\nruntime: nodejs\nmain: infra\n", "infra/index.ts": "", "infra.js": "" },
    true,
  ],
  [
    "a folder that package.json names, not the file of the same name next to it",
    { "package.json": '{ "main": "infra" }', "infra/index.ts": "", "infra.json": "{}" },
    true,
  ],
  ["an ES module, index.mjs", { "package.json": '{ "type": "module" }', "index.mjs": "" }, false],
  [
    "an ES module, whose main is ignored if it has no ending",
    { "package.json": '{ "type": "module", "main": "bin/shop" }', "bin/shop.js": "" },
    true,
  ],
] as const)("the entry file decides whether a program is TypeScript: %s", async (_, files, expected) => {
  write("index.ts", program);
  for (const [file, text] of Object.entries(files)) write(file, text);
  expect(await isTypeScript()).toBe(expected);
});

test("a program without an entry file", async () => {
  write("src/shop.ts", program);
  expect(await problems()).toEqual([
    ["entry file", `${folder} has neither index.ts nor index.js, nor a file that package.json names as main`],
  ]);
  write("Pulumi.yaml", "name: shop\nruntime: nodejs\nmain: src/shop\n");
  expect(await problems()).toEqual([["entry file", "Pulumi.yaml names src/shop as main, which is not a program"]]);
});

test.each(["index.js", "index.mjs", "index.ts", "index.mts"])("an ES module can start with %s", async (file) => {
  write("package.json", '{ "type": "module" }');
  write(file, program);
  expect(await problems()).not.toContainEqual(["entry file", expect.anything()]);
});

test.each(["index.cts", "index.json", "index.tsx"])("an ES module cannot start with %s", async (file) => {
  write("package.json", '{ "type": "module" }');
  write("src/shop.ts", program);
  write(file, "{}");
  expect(await problems()).toContainEqual(["entry file", expect.anything()]);
});

test("a folder without an entry file has none, even if a file next to it has the folder's name", async () => {
  write("Pulumi.yaml", "name: shop\nruntime: nodejs\nmain: infra\n");
  write("infra/readme.txt", "");
  write("infra.ts", program);
  expect(await problems()).toEqual([["entry file", "Pulumi.yaml names infra as main, which is not a program"]]);
});

test.each([
  ["dist/index.js", "dist/index.js"],
  ["src/", "src/index.ts"],
])("with main %s, packages are installed in the folder of package.json", async (main, file) => {
  write("Pulumi.yaml", `name: shop\nruntime: nodejs\nmain: ${main}\n`);
  write("package.json", "{}");
  write(file, program);
  rmSync(join(folder, "node_modules", "pulumi-cloudinfra"), { recursive: true });
  expect(await problems()).toContainEqual(["pulumi-cloudinfra", `not installed in ${folder}`]);
  rmSync(join(folder, "node_modules"), { recursive: true });
  expect(await problems()).toEqual([["npm packages", `${folder} has no node_modules`]]);
  rmSync(join(folder, "package.json"));
  expect(await problems(), "without a package.json").toEqual([["npm packages", `${folder} has no node_modules`]]);
});

test("packages and tsconfig.json are those of the folder in which Pulumi starts the program", async () => {
  write("Pulumi.yaml", "name: shop\nruntime: nodejs\nmain: infra\n");
  write("infra/index.ts", program);
  write("infra/tsconfig.json", '{ "compilerOptions": { "strict": true } }');
  write("tsconfig.json", "{}");
  installed("typescript", "5.9.3", "infra");
  installed("ts-node", "10.9.2", "infra");
  expect(await problems()).toEqual([]);
});

const strictness = async (config: string | undefined, tsNode = "10.9.2") => {
  write("index.ts", program);
  installed("typescript", "5.9.3");
  installed("ts-node", tsNode);
  if (config !== undefined) write("tsconfig.json", config);
  const { result, message } = (await checks()).find(({ name }) => name === "tsconfig.json") ?? {};
  return [result, message];
};
const options = (compilerOptions: object, rest = {}) => JSON.stringify({ ...rest, compilerOptions });

test.each([
  [{ strict: true }, "ok", "strict"],
  [{ strictNullChecks: true }, "ok", "strictNullChecks"],
  [{ strict: false, strictNullChecks: true }, "ok", "strictNullChecks"],
  [{ strict: true, strictNullChecks: false }, "problem", expect.stringMatching(/^strictNullChecks is off/)],
  [{ strict: false }, "problem", expect.stringMatching(/^strict is off/)],
  [{}, "problem", expect.stringMatching(/^strict is off/)],
])("compilerOptions %o", async (compilerOptions, ...expected) => {
  expect(await strictness(options(compilerOptions))).toEqual(expected);
});

test("the last of several extended files takes precedence, and the file itself over all of them", async () => {
  write("strict.json", options({ strict: true }));
  write("loose.json", options({ strict: false }));
  write("no-null.json", options({ strictNullChecks: false }));
  const extending = (...files: string[]) => ({ extends: files.map((file) => `./${file}.json`) });
  expect(await strictness(options({}, extending("strict", "loose")))).toEqual([
    "problem",
    expect.stringMatching(/is off/),
  ]);
  expect(await strictness(options({}, extending("loose", "strict")))).toEqual(["ok", "strict"]);
  expect(await strictness(options({ strict: true }, extending("no-null")))).toEqual([
    "problem",
    expect.stringMatching(/is off/),
  ]);
  expect(await strictness(options({ strictNullChecks: true }, extending("no-null")))).toEqual([
    "ok",
    "strictNullChecks",
  ]);
});

test("without a tsconfig.json, ts-node 10 is strict, and older versions are not", async () => {
  expect(await strictness(undefined)).toEqual(["ok", `not in ${folder}; ts-node's own options are strict`]);
  expect(await strictness(undefined, "9.1.1")).toEqual(["problem", expect.stringContaining("so strict is off")]);
});

test.each(["index.ts", "index.js"])("%s with a tsconfig of Pulumi.yaml that does not exist", async (file) => {
  write("Pulumi.yaml", "name: a\nruntime: { name: nodejs, options: { tsconfig: tsconfig.pulumi.json } }\n");
  write("tsconfig.json", options({ strict: true }));
  write(file, program);
  installed("typescript", "5.9.3");
  installed("ts-node", "10.9.2");
  const missing = `not in ${folder}, but Pulumi.yaml names it as tsconfig, so Pulumi does not run the program`;
  expect(await problems()).toEqual([["tsconfig.pulumi.json", missing]]);
  write("tsconfig.pulumi.json", options({ strict: true }));
  expect(await problems()).toEqual([]);
});

test.each([
  ["../tsconfig.base.jsonc", "tsconfig.base.jsonc"],
  ["../tsconfig.base", "tsconfig.base"],
  ["../tsconfig.base", "tsconfig.base.json"],
])("extends %s reads %s", async (parent, file) => {
  folder = join(folder, "infra");
  write("Pulumi.yaml", "name: shop\nruntime: nodejs\n");
  installed("pulumi-cloudinfra", version);
  installed("@pulumi/pulumi", "3.270.0");
  write(join("..", file), options({ strict: true }));
  expect(await strictness(options({}, { extends: parent }))).toEqual(["ok", "strict"]);
});

test("a tsconfig.json with which no program is compiled", async () => {
  const file = join(folder, "tsconfig.json");
  expect(await strictness('{ "compilerOptions": { "strict": tru }')).toEqual(["problem", `${file} is not valid`]);
  expect(await strictness('{ "extends": "./missing.json" }')).toEqual([
    "problem",
    `${file} extends ./missing.json, which was not found`,
  ]);
  expect(await strictness('{ "extends": "@example/missing" }')).toEqual([
    "not checked",
    `${file} extends @example/missing, which was not found`,
  ]);
  expect(await strictness('{ "compilerOptions": null }'), "a null does not hide the other checks").toEqual([
    "problem",
    expect.stringMatching(/is off/),
  ]);
});
