import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { UNKNOWN } from "../../provider/engine/values";
import { kinds } from "../../provider/resources";
import type { Run } from "../../testing/engine";
import { APPLIED, type Applied, appliedIn, mistakes, outputsOf } from "../engine/applied";
import { exampleSecrets, prepareExamples } from "../engine/example-needs";
import { type Sandbox, sandbox } from "../engine/sandbox";
import { type Machine, machine, root, sdk } from "./machine";

/** Programs with the examples of all kinds, which read every output of their resources. They run without Node.js. */
let prepared: Machine;
beforeAll(async () => {
  prepared = await machine();
});
afterAll(() => prepared[Symbol.dispose]());

const examples = (pattern: string): [name: string, text: string][] =>
  globSync(`examples/${pattern}`, { cwd: root })
    .sort()
    .map((file) => [basename(file), readFileSync(join(root, file), "utf8")]);

/** A program that runs the examples next to it, and writes to the file `APPLIED` what its functions in `apply` receive. */
const programOf = (file: string): string => readFileSync(join(__dirname, "outputs", file), "utf8");

/** Starts a stack with a program and the objects that the examples need. */
async function boxFor(language: string, files: Record<string, string>): Promise<Sandbox> {
  const folder = join(prepared.folder, `outputs-${language}`);
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const box = await sandbox(
    { folder },
    {
      config: exampleSecrets(),
      env: prepared.env,
      timeoutMs: 900_000, // the first compilation of a Go program takes minutes
    },
  );
  await box.stack.configure(await prepareExamples(box.emulator));
  return box;
}

/** Saves the plan of a preview, and updates the stack accordingly. */
async function planned({ stack }: Sandbox): Promise<{ preview: Run; up: Run }> {
  const preview = await stack.preview(["--save-plan", "plan.json"]);
  return { preview, up: await stack.up(["--plan", "plan.json"]) };
}

/** Expects that all outputs of all kinds had the right types, and no function ran earlier with another value. */
function expectNoMistakes(applied: Applied[]): void {
  const created = new Set(applied.map(({ resource }) => resource.slice(0, resource.indexOf(" "))));
  expect([...created].sort()).toEqual(Object.keys(kinds).sort());
  expect(mistakes(applied, { id: "string" })).toEqual([]);
}

const appliedBy = ({ stack }: Sandbox): Applied[] => appliedIn(readFileSync(join(stack.dir, APPLIED), "utf8"));

test("Python: an update follows the plan of a preview, in which functions in apply run only with final values", async () => {
  const copied = examples("converted/py/*.py").map(([name, text]) => [`example-${name}`, text]);
  await using box = await boxFor("python", {
    "Pulumi.yaml": "name: test\nruntime: python\n",
    "__main__.py": programOf("__main__.py"),
    ...Object.fromEntries(copied),
  });
  await planned(box);
  expectNoMistakes(appliedBy(box));
});

test("Go: an update follows the plan of a preview, in which functions in apply run only with final values", async () => {
  const files = examples("converted/go/*.go").map(([name, text], i) => {
    const run = "func main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {\n";
    expect(text).toContain(run);
    const body = text.replace(run, `func example${i}(ctx *pulumi.Context) error {\n`).replace(/\t\}\)\n\}\n$/, "}\n");
    return [`example-${name}`, body];
  });
  await using box = await boxFor("go", {
    "Pulumi.yaml": "name: test\nruntime: go\n",
    "main.go": programOf("main.go"),
    "examples.go": `package main

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

var examples = []func(*pulumi.Context) error{${files.map((_, i) => `example${i}`).join(", ")}}
`,
    "go.mod": readFileSync(join(root, "examples/website/go/go.mod"), "utf8").replace(
      "=> ../sdks/go",
      `=> ${sdk("go")}`,
    ),
    ...Object.fromEntries(files),
  });
  await planned(box);
  expectNoMistakes(appliedBy(box));
});

/** The value of an output in a run, as if a function in `apply` had received it. Unknown outputs run none. */
function shown({ outputs }: { outputs: Record<string, unknown> }, preview: boolean): Applied[] {
  return Object.entries(outputs).flatMap(([name, value]) => {
    const [resource = "", property = ""] = name.split(": ");
    return JSON.stringify(value)?.includes(UNKNOWN) ? [] : [{ preview, resource, property, value }];
  });
}

test("YAML: an update follows the plan of a preview, which shows only final values", async () => {
  const parsed = examples("resources/*.yaml").map(([, text]) => parse(text));
  const all = (section: string) => Object.assign({}, ...parsed.map((example) => example[section]));
  const [config, configuration, resources] = ["config", "configuration", "resources"].map(all);
  const outputs = Object.entries<{ type: string; name?: string }>(resources).flatMap(([key, { type, name = key }]) => {
    const kind = type.slice(type.lastIndexOf(":") + 1);
    return (outputsOf[kind] ?? []).map((property) => [`${kind} ${name}: ${property}`, `\${${key}.${property}}`]);
  });
  const program = { name: "test", runtime: "yaml", config, configuration, resources };
  await using box = await boxFor("yaml", {
    "Pulumi.yaml": stringify({ ...program, outputs: Object.fromEntries(outputs) }),
  });
  const { preview } = await planned(box);
  const final = await box.stack.outputs();
  // Pulumi omits outputs without a value.
  const missing = outputs.flatMap(([name = ""]) => (name in final ? [] : [[name, undefined]]));
  const secret = shown(preview, true).filter(({ value }) => !JSON.stringify(value ?? null).includes("[secret]"));
  expectNoMistakes([...secret, ...shown({ outputs: { ...final, ...Object.fromEntries(missing) } }, false)]);
});
