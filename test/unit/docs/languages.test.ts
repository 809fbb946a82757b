import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blocksOf } from "../../cli/markdown";

const root = join(__dirname, "../../..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const programOf = (language: string): string =>
  blocksOf(read("docs/guides/languages.md")).find((block) => block.language === language)?.text ?? "";

test("the C# program of the languages guide is the converted example of Volume", () => {
  const [, converted] =
    /^\/\/ Converted from volume\.yaml .*\n([\s\S]*)$/.exec(read("examples/converted/cs/volume.cs")) ?? [];
  expect(programOf("csharp")).toBe(converted);
});

test("the Java program of the languages guide uses names of the schema", () => {
  const java = programOf("java");
  const { resources, language } = JSON.parse(read("schema.json"));
  const used = [...java.matchAll(/(\w+)Args\.builder\(\)([\s\S]*?)\.build\(\)/g)];
  expect(used.map(([, kind]) => kind)).toEqual(["Instance", "Volume"]);
  for (const [, kind, calls = ""] of used) {
    const { inputProperties } = resources[`cloudinfra:index:${kind}`];
    const names = [...calls.matchAll(/^\s+\.(\w+)\(/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(3);
    expect(Object.keys(inputProperties)).toEqual(expect.arrayContaining(names));
    expect(java).toContain(`import ${language.java.basePackage}.cloudinfra.${kind}Args;`);
  }
  expect(Object.keys(resources["cloudinfra:index:Volume"].properties)).toContain("filesystemPath");
  expect(java).toContain("data.filesystemPath()");
});
