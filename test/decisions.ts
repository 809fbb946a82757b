import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface NamedTest {
  /** From the repository's root. */
  file: string;
  /** With a star where it differs between the rows of a table. */
  name: string;
}

const folder = join(__dirname, "../docs/decisions");

/** The pages of docs/decisions whose tables name tests. */
export const pages = ["findings.md", "user-asks.md"];

/** The rows of a Markdown table in docs/decisions whose first cell matches, as lists of cells. */
export const rowsOf = (page: string, first: RegExp): string[][] =>
  readFileSync(join(folder, page), "utf8")
    .split("\n")
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .filter(([before, number = ""]) => before === "" && first.test(number))
    .map((cells) => cells.slice(1));

const entry = /\[[^\]]+\]\(\.\.\/\.\.\/(test\/[^)]+)\): `([^`]+)`/;

/** The tests that a text names, each as a link to its file and its name. */
export const namedTests = (text: string): NamedTest[] =>
  [...text.matchAll(new RegExp(entry, "g"))].map(([, file = "", name = ""]) => ({ file, name }));

/** Every test that a decision refers to. */
export const testsOfDecisions = (): NamedTest[] =>
  pages.flatMap((page) => namedTests(readFileSync(join(folder, page), "utf8")));

/** Whether the test has this name, with or without the names of the groups around it. */
export function isNamed({ name }: NamedTest, fullName: string): boolean {
  const parts = name.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`(^|> )${parts.join(".*")}$`, "s").test(fullName);
}
