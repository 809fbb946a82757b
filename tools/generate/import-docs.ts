import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { leftOut } from "../../import";
import type { Files } from "./mark";

const PAGE = "docs/import.md";

/** The lines of the command's output that name the kinds which an import omits, below their first line. */
const LIST = /^(Left out; .*\n)(?: {2}\w+: .*\n)*/m;

/** Writes the list of omitted kinds in docs/import.md, whose other text is written by hand. */
export function importFile(root: string): Files {
  const file = join(root, PAGE);
  if (!existsSync(file)) return {};
  const lines = Object.entries(leftOut).map(([kind, reason]) => `  ${kind}: ${reason}\n`);
  const text = readFileSync(file, "utf8");
  if (!LIST.test(text)) throw new Error(`${PAGE} has no line that starts with "Left out; ", below which the list is`);
  return { [PAGE]: text.replace(LIST, (_, first: string) => `${first}${lines.join("")}`) };
}
