import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { testNames } from "../../../tools/generate/test-names";

const root = join(__dirname, "../../..");
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

const tests = new Map<string, string[]>();
for (const { file, name } of testNames(root, "test")) tests.set(file, [...(tests.get(file) ?? []), starred(name)]);

/** Whether the file has a test of that name, with or without the names of the groups around it. */
function isTest({ file, name }: { file: string; name: string }): boolean {
  const pattern = name.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const wanted = new RegExp(`(^|> )${pattern.join(".*")}$`, "s");
  return (tests.get(file) ?? []).some((one) => wanted.test(one));
}

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
  const missing = namedTests(cell).filter((one) => !isTest(one));
  expect(missing).toEqual([]);
}
