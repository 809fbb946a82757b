import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kebab, sentence } from "../../../api";
import type { Kind } from "../../../provider/engine/definition";
import { type Files, PAGE_MARK } from "../mark";
import { code, link, table } from "../markdown";
import { namesIn } from "../schema";
import { sinceOf } from "../shape";
import { exampleOf, pageOf } from "./page";

/** docs/resources/: a page for each kind, and one that lists them. */
export function resourceFiles(root: string, kinds: Record<string, Kind>): Files {
  const sorted = Object.entries(kinds).sort(([a], [b]) => (a < b ? -1 : 1));
  const names = namesIn(kinds);
  const pages = sorted.map(([name, kind]) => [
    `docs/resources/${kebab(name)}.md`,
    pageOf({ name, kind, names }, textOf(root, name)),
  ]);
  return { "docs/resources/README.md": indexOf(sorted), ...Object.fromEntries(pages) };
}

/** What is still to be written by hand before the pages are whole. */
export const missingExamples = (root: string, kinds: Record<string, Kind>): string[] =>
  Object.keys(kinds).flatMap((name) =>
    textOf(root, name) === undefined
      ? [
          `${name} has no example: write ${exampleOf(name)}, a small program that imports "pulumi-cloudinfra" and makes one`,
        ]
      : [],
  );

function textOf(root: string, name: string): string | undefined {
  const file = join(root, exampleOf(name));
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

const indexOf = (sorted: readonly (readonly [string, Kind])[]): string =>
  [
    `${PAGE_MARK}\n# Resources`,
    `${sorted.length} kinds. Each page tells the inputs with their bounds and what a change of each does, the outputs, waits and time limits, and has an example.`,
    table(
      ["Kind", "What it is", "Since"],
      sorted.map(([name, kind]) => [link(code(name), `${kebab(name)}.md`), sentence(kind.summary), sinceOf(kind)]),
    ),
  ]
    .join("\n\n")
    .concat("\n");
