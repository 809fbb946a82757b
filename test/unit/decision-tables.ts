import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { testNames } from "../../tools/generate/test-names";

const root = join(__dirname, "../..");
const folder = join(root, "docs/decisions");

/** The rows of a Markdown table in `docs/decisions` whose first cell matches, as lists of cells. */
export const rowsOf = (file: string, first: RegExp): string[][] =>
  readFileSync(join(folder, file), "utf8")
    .split("\n")
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .filter(([before, number = ""]) => before === "" && first.test(number))
    .map((cells) => cells.slice(1));

/** A test name that is generated for each of many cases, with a star where they differ. */
const starred = (name: string): string => name.replace(/%[sdijfo]|\$[a-zA-Z]\w*/g, "*");

const tests = new Set(testNames(root, "test").map(({ file, name }) => `${file}: ${starred(name)}`));

/** The tests that a cell names, one a line, each as a link to its file and its name. */
export const namedTests = (cell: string): { file: string; name: string }[] =>
  cell.split("<br>").map((one) => {
    const match = /^\[[^\]]+\]\(\.\.\/\.\.\/(test\/[^)]+)\): `([^`]+)`$/.exec(one.trim());
    expect(match, one).not.toBeNull();
    return { file: match?.[1] ?? "", name: match?.[2] ?? "" };
  });

export function expectLinksAndTests(text: string, cell: string): void {
  const files = [...`${text} ${cell}`.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, file]) => file ?? "");
  expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
  const missing = namedTests(cell).filter(({ file, name }) => !tests.has(`${file}: ${name}`));
  expect(missing).toEqual([]);
}
