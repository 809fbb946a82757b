import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { leftOutLine } from "../../cli/import/report";
import { leftOut } from "../../import";
import type { Files } from "./mark";

const PAGE = "docs/import.md";

const reasons = Object.entries(leftOut).map(([kind, reason]) => `- \`${kind}\`: ${reason}\n`);

/** The parts of the page that name the omitted kinds: the line in the output of the command, and the list of reasons. */
const parts: readonly { what: string; at: RegExp; text: string }[] = [
  { what: 'line that starts with "Left out: "', at: /^Left out: .*\n/m, text: `${leftOutLine}\n` },
  {
    what: 'line that ends with "leaves out these kinds:"',
    at: /(?<=^.* leaves out these kinds:\n\n)(?:- .*\n)*/m,
    text: reasons.join(""),
  },
];

/** Writes the omitted kinds in docs/import.md, whose other text is written by hand. */
export function importFile(root: string): Files {
  const file = join(root, PAGE);
  if (!existsSync(file)) return {};
  const page = parts.reduce(
    (text, { what, at, text: part }) => {
      if (!at.test(text)) throw new Error(`${PAGE} has no ${what}, where the omitted kinds are named`);
      return text.replace(at, () => part);
    },
    readFileSync(file, "utf8"),
  );
  return { [PAGE]: page };
}
