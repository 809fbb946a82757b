import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface NamedTest {
  /** Path of the test file, relative to the repository's root. */
  file: string;
  /** Name of the test. In the name of a parameterized test, a star replaces the parameters. */
  name: string;
}

const folder = join(__dirname, "../docs/decisions");

/** Pages in docs/decisions with tables that name the test for each decision. */
export const pages = ["findings.md", "user-asks.md"];

/** The rows of a Markdown table in docs/decisions whose first cell matches a pattern, as lists of cells. */
export const rowsOf = (page: string, first: RegExp): string[][] =>
  readFileSync(join(folder, page), "utf8")
    .split("\n")
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .filter(([before, number = ""]) => before === "" && first.test(number))
    .map((cells) => cells.slice(1));

const entry = /\[[^\]]+\]\(\.\.\/\.\.\/(test\/[^)]+)\): `([^`]+)`/;

/** The tests to which a text refers. Each reference is a link to the file, followed by the test's name. */
export const namedTests = (text: string): NamedTest[] =>
  [...text.matchAll(new RegExp(entry, "g"))].map(([, file = "", name = ""]) => ({ file, name }));

/** All tests that the pages in docs/decisions name. */
export const testsOfDecisions = (): NamedTest[] =>
  pages.flatMap((page) => namedTests(readFileSync(join(folder, page), "utf8")));

/** Whether a test has the given name, with or without the names of the groups that contain it. */
export function isNamed({ name }: NamedTest, fullName: string): boolean {
  const parts = name.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`(^|> )${parts.join(".*")}$`, "s").test(fullName);
}
