import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Kind } from "../../provider/engine/definition";
import { kinds } from "../../provider/resources";
import { APPLIED, type Applied, appliedIn, mistakes, outputsOf } from "./applied";
import { exampleSecrets, prepareExamples } from "./example-needs";
import { providers } from "./providers";
import { type Sandbox, sandbox } from "./sandbox";

const folder = join(__dirname, "../../examples/resources");
const examples = readdirSync(folder).filter((file) => file.endsWith(".ts"));

/**
 * A program that contains all examples, and reads every output of their resources in `apply`. If `labels` is set, it
 * also declares the labels that the provider would generate.
 */
const program = (labels: boolean): string => `
import { appendFileSync } from "node:fs";
import { runtime } from "@pulumi/pulumi";
const outputs: Record<string, string[]> = ${JSON.stringify(outputsOf)};
const labelled = ${JSON.stringify(labels ? labelled : [])};
const made: [string, string, any][] = [];
runtime.registerStackTransformation(({ type, name, resource, props, opts }) => {
  const kind = type.slice(type.lastIndexOf(":") + 1);
  if (kind in outputs) made.push([kind, name, resource]);
  return labelled.includes(kind) ? { props: { ...props, label: props.label ?? "own-" + name }, opts } : undefined;
});
${examples.map((file) => `require("./${file.replace(/\.ts$/, "")}");`).join("\n")}
for (const [kind, name, resource] of made)
  for (const property of outputs[kind])
    resource[property].apply((value: unknown) => {
      const line = { preview: runtime.isDryRun(), resource: kind + " " + name, property, value };
      appendFileSync("${APPLIED}", JSON.stringify(line) + "\\n");
    });
`;

/** The resource classes whose labels are generated if the program omits them. */
const labelled = Object.entries<Kind>(kinds).flatMap(([name, { identity }]) => (identity.autoname ? [name] : []));

/** Starts a stack with the program, whose resources the native plugin or dynamic resources manage. */
async function boxFor(provider: "dynamic" | "native"): Promise<Sandbox> {
  // Pulumi does not check the types here, because they are checked together with the repository's source code.
  const env = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
  const box = await sandbox({ folder }, { config: exampleSecrets(), env });
  const { stack, emulator } = box;
  await stack.configure(await prepareExamples(emulator));
  await stack.write("index.ts", program(provider === "dynamic"));
  if (provider === "dynamic") return box;
  for (const file of examples) {
    const text = readFileSync(join(folder, file), "utf8");
    await stack.write(file, text.replace('"pulumi-cloudinfra"', '"pulumi-cloudinfra/native"'));
  }
  const plugins = "plugins:\n  providers: [{ name: cloudinfra, path: ./node_modules/pulumi-cloudinfra }]\n";
  await stack.write("Pulumi.yaml", `name: test\nruntime: nodejs\n${plugins}`);
  return box;
}

const applied = ({ stack }: Sandbox): Applied[] => appliedIn(readFileSync(join(stack.dir, APPLIED), "utf8"));

const resourcesIn = (all: Applied[]): string[] => [
  ...new Set(all.map(({ resource }) => resource.slice(0, resource.indexOf(" ")))),
];

/**
 * Pulumi does not send dynamic resources the seed of a plan. Their plans therefore need labels that the program declares.
 */
test.each(providers("native"))(
  "an update follows the plan of a preview, in which functions in apply run only with final values: %s",
  async (provider) => {
    await using box = await boxFor(provider);
    await box.stack.preview(["--save-plan", "plan.json"]);
    await box.stack.up(["--plan", "plan.json"]);
    const all = applied(box);
    expect(resourcesIn(all).sort()).toEqual(Object.keys(kinds).sort());
    expect(mistakes(all, { id: "number" })).toEqual([]);
  },
);
