import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testNames } from "../../tools/generate/test-names";

const root = join(__dirname, "../..");
const folder = join(root, "docs/decisions");

/** How many findings there are in each part. */
const findings = { "1a": 10, "1b": 7, "1c": 8, "1d": 7, "1e": 13, "1f": 5 };

const rows = readFileSync(join(folder, "user-asks.md"), "utf8")
  .split("\n")
  .filter((line) => /^\| \d\w·/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, no = "", finding = "", solved = "", shown = "", ...rest]) => ({ no, finding, solved, shown, rest }));

/** A name that is made for each of many, with a star where they differ. */
const starred = (name: string): string => name.replace(/%[sdijfo]|\$[a-zA-Z]\w*/g, "*");

const tests = new Set(testNames(root, "test").map(({ file, name }) => `${file}: ${starred(name)}`));

test("every finding has a row, and each row tells what, where and by which test", () => {
  const numbers = Object.entries(findings).flatMap(([part, count]) =>
    Array.from({ length: count }, (_, at) => `${part}·${at + 1}`),
  );
  expect(rows.map(({ no }) => no)).toEqual(numbers);
  for (const { no, finding, solved, shown, rest } of rows) {
    expect(rest, no).toEqual([""]);
    expect(finding.length, no).toBeGreaterThan(10);
    expect(solved.length, no).toBeGreaterThan(10);
    expect(shown, no).toMatch(/: `/);
  }
});

test.each(rows)("$no: every file is there, and every test under its name", ({ solved, shown }) => {
  const files = [...`${solved} ${shown}`.matchAll(/\]\(([^)]+)\)/g)].map(([, file]) => file ?? "");
  expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
  const named = shown.split("<br>").map((one) => /^\[[^\]]+\]\(\.\.\/\.\.\/(test\/[^)]+)\): `([^`]+)`$/.exec(one));
  for (const match of named) {
    expect(match, shown).not.toBeNull();
    const [, file, name] = match ?? [];
    expect(tests.has(`${file}: ${name}`), `${file}: ${name}`).toBe(true);
  }
});
