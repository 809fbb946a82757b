import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { stepsOf } from "../../../tools/kind/steps";

const root = dirname(require.resolve("pulumi-cloudinfra/package.json"));

const argumentsOf = (part: string): readonly string[] =>
  stepsOf("Volume").find(({ command }) => command.includes(part))?.command ?? [];

test("make kind omits no unit test that imports the definitions", () => {
  const patterns = argumentsOf("unit").filter((_, i, all) => all[i - 1] === "--exclude");
  const omitted = patterns.map((pattern) => globSync(pattern.replace(/\*\*$/, "**/*.test.ts"), { cwd: root }));
  expect(omitted.filter((files) => files.length === 0)).toEqual([]);
  const importing = omitted.flat().filter((file) => /\/resources"/.test(readFileSync(join(root, file), "utf8")));
  expect(importing).toEqual([]);
});

test("make kind selects the tests by the name of the kind, not those of kinds whose names begin with it", () => {
  const selected = new RegExp(argumentsOf("lifecycle").at(-1) ?? "");
  expect("Volume > is created, and repeated reads show no difference").toMatch(selected);
  expect("every kind: no secret identifies an object").toMatch(selected);
  expect("VolumeAttachment > is created, and repeated reads show no difference").not.toMatch(selected);
});

test("make kind prints how to run a step alone", () => {
  expect(stepsOf("Volume").map(({ repeat }) => repeat)).toEqual(
    expect.arrayContaining([
      `make test ARGS="--project lifecycle -t '\\b(Volume|every kind)\\b'"`,
      `make test ARGS="--project native -t '\\bVolume\\b'"`,
      "make lint",
    ]),
  );
});
