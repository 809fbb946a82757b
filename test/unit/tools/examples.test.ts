import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { kebab } from "../../../api";
import { kinds } from "../../../provider/resources";
import { exampleOf, examplesOf, withExamples } from "../../../tools/generate/examples";
import { nameIn, type PackageSchema, token } from "../../../tools/generate/model";

const root = join(__dirname, "../../..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const schema = JSON.parse(read("schema.json")) as PackageSchema;

test.for(Object.keys(kinds))(
  "%s has an example in each language, converted from the present YAML program",
  (name, context) => {
    const examples = examplesOf(root, name);
    const yaml = read(`examples/resources/${kebab(name)}.yaml`);
    const mark = `Converted from ${kebab(name)}.yaml ${createHash("sha256").update(yaml).digest("hex").slice(0, 8)} `;
    const converted = examples.filter(({ file }) => file.includes("converted") && read(file).includes(mark));
    const languages = converted.map(({ language }) => language);
    expect(examples.map(({ language }) => language)).toEqual(expect.arrayContaining(["TypeScript", "YAML"]));
    const convert = `run \`make sdks\`, which converts examples/resources/${kebab(name)}.yaml and needs Go`;
    context.skip(process.env.CONVERTED === "later" && languages.length < 3, convert);
    expect(languages, convert).toEqual(["Python", "Go", "C#"]);
    expect(examples.map(({ language }) => language)).toEqual(["TypeScript", "Python", "Go", "C#", "YAML"]);
    for (const { fence, text } of examples)
      expect(schema.resources[token(name)]?.description).toContain(`\`\`\`${fence}\n${text}\n\`\`\``);
  },
);

test.each(Object.keys(kinds))("the YAML example of %s sets only inputs that exist, and all required ones", (name) => {
  const { resources } = parse(read(`examples/resources/${kebab(name)}.yaml`)) as {
    resources: Record<string, { type: string; properties: object }>;
  };
  expect(Object.values(resources).map(({ type }) => nameIn(type))).toContain(name);
  for (const { type, properties } of Object.values(resources)) {
    const spec = schema.resources[token(nameIn(type))];
    expect(Object.keys(spec?.inputProperties ?? {})).toEqual(expect.arrayContaining(Object.keys(properties)));
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(spec?.requiredInputs ?? []));
  }
});

test("no two examples use the same name for resources of a kind, because one program runs all of them", () => {
  const uses = Object.keys(kinds).flatMap((name) => {
    const names = [...read(exampleOf(name)).matchAll(/\bnew ([\w.]+\(\s*"[^"]+")/g)].map(([, called = ""]) => called);
    return [...new Set(names)].map((called) => ({ called, file: exampleOf(name) }));
  });
  const shared = [...Map.groupBy(uses, ({ called }) => called)].filter(([, files]) => files.length > 1);
  const conflicts = shared.map(([called, files]) => `${called}): ${files.map(({ file }) => file).join(", ")}`);
  expect(conflicts, "rename the resource in the newer example").toEqual([]);
});

test("providers that an example creates get the dialect of the stack, whose settings do not apply to them", () => {
  const files = globSync("{examples,templates}/**/*.ts", { cwd: root, exclude: ["**/node_modules"] });
  const programs = files.filter((file) => /\bProvider\b[^;]*"pulumi-cloudinfra\/native"/.test(read(file)));
  expect(programs).toEqual(["examples/two-accounts/index.ts"]);
  for (const file of programs)
    expect(read(file)).toMatch(
      /new Provider\([^;]*\n {4}dialect: new pulumi\.Config\("cloudinfra"\)\.get\("dialect"\),\n/,
    );
});

test("a kind without examples keeps its description", () => {
  const spec = schema.resources[token("Volume")];
  const gadget = { ...schema, resources: { [token("GadgetBox")]: { ...spec, description: "Manages a gadget." } } };
  const { resources } = withExamples(root, gadget as PackageSchema);
  expect(resources[token("GadgetBox")]?.description).toBe("Manages a gadget.");
});

test("every example and template refers to the packages of this repository by a path, because they are in no registry", () => {
  const files = globSync("{examples,templates}/**/{package.json,requirements.txt,go.mod}", {
    cwd: root,
    exclude: ["**/node_modules", "examples/converted"],
  });
  const references = files.flatMap((file): [file: string, reference: string | undefined][] => {
    const text = readFileSync(join(root, file), "utf8");
    if (file.endsWith(".json")) {
      const { dependencies, devDependencies } = JSON.parse(text);
      return [[file, { ...dependencies, ...devDependencies }["pulumi-cloudinfra"]]];
    }
    if (file.endsWith(".txt"))
      return text.match(/^.*(cloudinfra|sdks).*$/gm)?.map((line): [string, string] => [file, line]) ?? [];
    // Without the line, Go asks its proxy for the module.
    return [[file, /^replace \S+\/sdks\/go => (.*)$/m.exec(text)?.[1]]];
  });
  expect(references.length).toBeGreaterThan(15);
  const expected = [/^file:\.\.\/pulumi-cloudinfra-[\d.]+\.tgz$/, /^\.\.\/sdks\/(python|go)$/];
  expect(references.filter(([, reference]) => !expected.some((one) => one.test(reference ?? "")))).toEqual([]);
});
