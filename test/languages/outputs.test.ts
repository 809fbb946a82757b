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
import { goModule, type Machine, machine, root, sdk } from "./machine";

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

/** Starts a stack with a program and the objects that the examples need. */
async function boxFor(language: string, files: Record<string, string>): Promise<Sandbox> {
  const folder = join(prepared.folder, `outputs-${language}`);
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const box = await sandbox({ folder }, { config: exampleSecrets(), env: prepared.env });
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
  const made = new Set(applied.map(({ resource }) => resource.slice(0, resource.indexOf(" "))));
  expect([...made].sort()).toEqual(Object.keys(kinds).sort());
  expect(mistakes(applied, { id: "string" })).toEqual([]);
}

const appliedBy = ({ stack }: Sandbox): Applied[] => appliedIn(readFileSync(join(stack.dir, APPLIED), "utf8"));

const python = `import json
import runpy
from glob import glob

import pulumi

made = []


def remember(args):
    if args.type_.startswith("cloudinfra:index:"):
        made.append((args.type_.split(":")[-1] + " " + args.name, args.resource))


pulumi.runtime.register_stack_transformation(remember)
for example in sorted(glob("example-*.py")):
    runpy.run_path(example)


def getters(value):
    found = {}
    for owner in type(value).__mro__:
        for attribute, getter in vars(owner).items():
            name = getattr(getattr(getter, "fget", None), "_pulumi_name", None)
            if name:
                found[name] = attribute
    return found


def plain(value):
    if isinstance(value, pulumi.Asset):
        return vars(value)
    if pulumi._types.is_output_type(type(value)):
        return {name: plain(getattr(value, attribute)) for name, attribute in getters(value).items()}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def applied(resource, output):
    def write(value):
        line = {"preview": pulumi.runtime.is_dry_run(), "resource": resource, "property": output, "value": plain(value)}
        with open("${APPLIED}", "a") as file:
            file.write(json.dumps(line) + "\\n")

    return write


for name, resource in made:
    for output, attribute in getters(resource).items():
        getattr(resource, attribute).apply(applied(name, output))
`;

test("Python: an update follows the plan of a preview, in which functions in apply run only with final values", async () => {
  const copied = examples("converted/py/*.py").map(([name, text]) => [`example-${name}`, text]);
  await using box = await boxFor("python", {
    "Pulumi.yaml": "name: test\nruntime: python\n",
    "__main__.py": python,
    ...Object.fromEntries(copied),
  });
  await planned(box);
  expectNoMistakes(appliedBy(box));
});

const go = (names: string[]): string => `package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"sync"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

var examples = []func(*pulumi.Context) error{${names.join(", ")}}

type resource struct {
	name  string
	value pulumi.Resource
}

type line struct {
	Preview  bool        \`json:"preview"\`
	Resource string      \`json:"resource"\`
	Property string      \`json:"property"\`
	Value    interface{} \`json:"value"\`
}

// Values of the SDK's types as JSON, with the names of the schema.
func plain(value reflect.Value) interface{} {
	switch value.Kind() {
	case reflect.Pointer, reflect.Interface:
		if value.IsNil() {
			return nil
		}
		return plain(value.Elem())
	case reflect.Struct:
		fields := map[string]interface{}{}
		for i := 0; i < value.NumField(); i++ {
			if name := value.Type().Field(i).Tag.Get("pulumi"); name != "" {
				fields[name] = plain(value.Field(i))
			}
		}
		return fields
	case reflect.Slice:
		items := []interface{}{}
		for i := 0; i < value.Len(); i++ {
			items = append(items, plain(value.Index(i)))
		}
		return items
	case reflect.Map:
		entries := map[string]interface{}{}
		for _, key := range value.MapKeys() {
			entries[key.String()] = plain(value.MapIndex(key))
		}
		return entries
	case reflect.Invalid:
		return nil
	default:
		return value.Interface()
	}
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		made := []resource{}
		err := ctx.RegisterStackTransformation(func(args *pulumi.ResourceTransformationArgs) *pulumi.ResourceTransformationResult {
			if kind, found := strings.CutPrefix(args.Type, "cloudinfra:index:"); found {
				made = append(made, resource{kind + " " + args.Name, args.Resource})
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, example := range examples {
			if err := example(ctx); err != nil {
				return err
			}
		}
		file, err := os.OpenFile("${APPLIED}", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		var lock sync.Mutex
		for _, one := range made {
			fields := reflect.ValueOf(one.value).Elem()
			for i := 0; i < fields.NumField(); i++ {
				property := fields.Type().Field(i).Tag.Get("pulumi")
				output, isOutput := fields.Field(i).Interface().(pulumi.Output)
				if property == "" || !isOutput {
					continue
				}
				output.ApplyT(func(value interface{}) (interface{}, error) {
					text, err := json.Marshal(line{ctx.DryRun(), one.name, property, plain(reflect.ValueOf(value))})
					if err != nil {
						return nil, err
					}
					lock.Lock()
					defer lock.Unlock()
					_, err = file.Write(append(text, '\\n'))
					return nil, err
				})
			}
		}
		return nil
	})
}
`;

test("Go: an update follows the plan of a preview, in which functions in apply run only with final values", async () => {
  const files = examples("converted/go/*.go").map(([name, text], i) => {
    const run = "func main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {\n";
    expect(text).toContain(run);
    const body = text.replace(run, `func example${i}(ctx *pulumi.Context) error {\n`).replace(/\t\}\)\n\}\n$/, "}\n");
    return [`example-${name}`, body];
  });
  await using box = await boxFor("go", {
    "Pulumi.yaml": "name: test\nruntime: go\n",
    "main.go": go(files.map((_, i) => `example${i}`)),
    "go.mod": readFileSync(join(root, "examples/website/go/go.mod"), "utf8").concat(
      `\nreplace ${goModule} => ${sdk("go")}\n`,
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
