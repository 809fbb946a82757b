import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { equivalents, squeezed } from "../../../tools/mutants/equivalents";
import { loadedBy } from "../../../tools/mutants/loads";
import type { Mutant } from "../../../tools/mutants/mutants";
import { type Test, testsFor } from "../../../tools/mutants/reach";

const root = join(__dirname, "../../..");

test.each(equivalents)("the code of an equivalent mutant exists: $file, $before", ({ file, line, before, after }) => {
  const text = readFileSync(join(root, file), "utf8");
  expect(text.split("\n").map(squeezed)).toContain(squeezed(line));
  expect(squeezed(text)).toContain(squeezed(before));
  expect(squeezed(after)).not.toBe(squeezed(before));
});

test("the modules that a file loads are those of its imports, also of imports in functions, but not those of types", () => {
  const modules = loadedBy("provider/resources/instance-volumes.ts");
  expect(modules).toContain("provider/resources/machine.ts");
  expect(modules).toContain("provider/engine/wait.ts");
  expect(modules).toContain("api/index.ts");
  expect(modules).not.toContain("test/unit/host.ts");
  expect(loadedBy("provider/resources/action.ts")).not.toContain("provider/engine/host.ts");
  expect(loadedBy("provider/plugin/functions.ts")).toContain("provider/functions/functions.ts");
});

describe("the tests for a mutant", () => {
  const file = "provider/engine/merge.ts";
  const mutant = (id: string): Mutant => ({
    ...{ id, name: `${file}:1:1:${id}`, folder: "provider/engine", file, operator: "ArrowFunction" },
    ...{ line: "", before: "", after: "" },
  });
  const [table, code] = [mutant("1"), mutant("2")];
  const sample = (name: string, mutants: string[], modules: string[], milliseconds = 10): Test => ({
    ...{ project: "unit", file: `test/unit/${name}.test.ts`, names: [name] },
    ...{ milliseconds, mutants: new Set(mutants), modules: new Set(modules) },
  });
  const all = [
    sample("others", [], ["provider/engine/wait.ts"]),
    sample("loads", [], [file]),
    sample("first", ["1"], [file]),
    sample("uses", ["2"], [file]),
    sample("slow", [], [file], 1_000),
  ];
  const namesFor = (one: Mutant, limit: number) =>
    testsFor(one, { tests: all, loading: new Set(["1"]) }, [table, code], limit).flatMap(({ names }) => names);

  test("are those that run its code", () => {
    expect(namesFor(code, 10_000)).toEqual(["uses"]);
  });

  test("in code that runs when its module is loaded are all whose file loads it, within the time limit", () => {
    expect(namesFor(table, 10_000)).toEqual(["first", "uses", "loads", "slow"]);
    expect(namesFor(table, 100)).toEqual(["first", "uses", "loads"]);
    expect(namesFor(table, 20)).toEqual(["first", "uses"]);
  });
});
