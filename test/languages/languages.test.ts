import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { kinds } from "../../provider/resources";
import { goModule } from "../../tools/release/sdks";
import { blocksOf } from "../cli/markdown";
import { exampleSecrets, prepareExamples } from "../engine/example-needs";
import { sandbox } from "../engine/sandbox";
import { execute, type Machine, machine, root, sdk } from "./machine";

const read = (file: string): string => readFileSync(join(root, file), "utf8");

const config = { rootPass: { secret: "Correct-Horse-42" } };
let folder: string;
let interpreter: string;

/** The environment of a machine without Node.js and npm. */
let bare: Record<string, string>;

let prepared: Machine;
beforeAll(async () => {
  prepared = await machine();
  ({ folder, interpreter, env: bare } = prepared);
});
afterAll(() => prepared[Symbol.dispose]());

test("the executable ignores the options of the user's Node programs", async () => {
  const executable = join(root, "dist/plugin/pulumi-resource-cloudinfra");
  const env = { ...bare, NODE_OPTIONS: "--require /nowhere.js --inspect-brk" };
  expect((await execute(executable, ["--version"], { env })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("the YAML examples of all kinds, as one program: up, no changes, destroy", async () => {
  const examples = globSync("examples/resources/*.yaml", { cwd: root }).map((file) => parse(read(file)));
  const all = (section: string) => Object.assign({}, ...examples.map((example) => example[section]));
  const [config, configuration, resources] = ["config", "configuration", "resources"].map(all);
  const program = { name: "test", runtime: "yaml", config, configuration, resources };
  const folderOfAll = join(folder, "yaml-examples");
  mkdirSync(folderOfAll);
  writeFileSync(join(folderOfAll, "Pulumi.yaml"), stringify(program));
  await using box = await sandbox({ folder: folderOfAll }, { config: exampleSecrets(), env: bare });
  const { stack, emulator } = box;
  await stack.configure(await prepareExamples(emulator));
  const before = box.holds();
  const up = await stack.up();
  const created = new Set(Object.keys(up.ops).map((resource) => resource.split(" ")[0]));
  expect([...created].sort()).toEqual(Object.keys(kinds).sort());
  await stack.preview(["--expect-no-changes"]);
  await stack.destroy();
  expect(box.holds()).toEqual(before);
});

test("the two TypeScript examples differ only in the import", () => {
  const text = (name: string) =>
    read(`examples/website/${name}/index.ts`).replace("pulumi-cloudinfra/native", "pulumi-cloudinfra");
  expect(text("typescript-native")).toBe(text("typescript"));
});

/**
 * Error codes that mypy reports for every Python SDK that Pulumi generates, because the generator does not annotate
 * dictionaries of arguments.
 */
const generators = ["assignment", "var-annotated", "arg-type", "return-value"];

test("the Python SDK passes mypy, and the example in strict mode", async () => {
  const disabled = generators.flatMap((code) => ["--disable-error-code", code]);
  expect(await mypy(["-p", "pulumi_cloudinfra", ...disabled])).toMatch(/^Success/);
  const example = join(root, "examples/website/python/__main__.py");
  expect(await mypy(["--strict", "--follow-imports=silent", example])).toMatch(/^Success/);
});

test("the converted Python examples pass mypy", async () => {
  const examples = globSync("examples/converted/py/*.py", { cwd: root }).map((file) => join(root, file));
  expect(examples).toHaveLength(Object.keys(kinds).length);
  expect(await mypy(["--follow-imports=silent", ...examples])).toMatch(/^Success/);
});

async function mypy(args: string[]): Promise<string> {
  const env = { ...process.env, MYPYPATH: sdk("python") };
  const { stdout } = await execute(interpreter, ["-m", "mypy", ...args], { env, cwd: folder }).catch((error) => error);
  return stdout;
}

test("the Go SDK, the example and the converted examples pass go vet", async () => {
  const program = join(folder, "go");
  cpSync(join(root, "examples/website/go"), program, { recursive: true });
  const examples = globSync("examples/converted/go/*.go", { cwd: root });
  expect(examples).toHaveLength(Object.keys(kinds).length);
  for (const example of examples) cpSync(join(root, example), join(program, basename(example, ".go"), "main.go"));
  const env = { ...process.env, GOFLAGS: "-mod=mod", GOWORK: "off" };
  await execute("go", ["mod", "edit", `-replace=${goModule}=${sdk("go")}`], { cwd: program, env });
  await execute("go", ["vet", "./...", `${goModule}/...`], { cwd: program, env });
});

test("the Node SDK compiles in strict mode", async () => {
  const files = join(sdk("nodejs"), "tsconfig.check.json");
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: "node16",
    target: "es2022",
    skipLibCheck: true,
    types: ["node"],
  };
  writeFileSync(files, JSON.stringify({ compilerOptions, include: ["*.ts", "types/*.ts", "config/*.ts"] }));
  await execute(process.execPath, [join(root, "node_modules/typescript-7/bin/tsc"), "-p", files]);
});

test("the programs of the guide run", async () => {
  const blocks = blocksOf(read("docs/guides/languages.md"));
  const block = (language: string): string => blocks.find((found) => found.language === language)?.text ?? "";
  const programs = {
    yaml: { "Pulumi.yaml": block("yaml") },
    python: { "Pulumi.yaml": "name: data\nruntime: python\n", "__main__.py": block("python") },
  };
  for (const [language, files] of Object.entries(programs)) {
    const program = join(folder, `guide-${language}`);
    mkdirSync(program);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(program, file), text);
    await using box = await sandbox({ folder: program }, { config, env: bare });
    const up = await box.stack.up();
    expect(up.outputs?.path, language).toMatch(/^\/dev\/disk/);
  }
});
