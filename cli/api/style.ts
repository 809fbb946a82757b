import { styleText } from "node:util";
import { wrapped } from "../../api";

type Format = Parameters<typeof styleText>[0];

/** A text in colours where people see it; NO_COLOR, FORCE_COLOR and pipes are minded. */
export const styled = (format: Format, text: string): string => styleText(format, text, { stream: process.stdout });

/** How wide people's terminals are. */
export const columns = (): number => process.stdout.columns || 80;

/** Terms with what is said of them beside, or below where a term is too long for that. */
export function listed(rows: readonly (readonly [term: string, text: string])[], most = 30): string {
  const width = Math.min(most, Math.max(0, ...rows.map(([term]) => term.length)));
  const indent = " ".repeat(width + 4);
  return rows
    .map(([term, text]) => {
      const lines = wrapped(text, Math.max(30, Math.min(columns(), 110) - indent.length)).map(highlighted);
      const head = `  ${styled("bold", term)}`;
      if (term.length > width) return [head, ...lines.map((line) => indent + line)].join("\n");
      const [first = "", ...rest] = lines;
      return [
        `${head}${" ".repeat(width - term.length + 2)}${first}`.trimEnd(),
        ...rest.map((line) => indent + line),
      ].join("\n");
    })
    .join("\n");
}

/** What the contract's texts quote. */
const highlighted = (line: string): string => line.replace(/`([^`]+)`/g, (quoted, code) => coded(quoted, code));

/** Backticks say in plain text what a colour says on a terminal. */
const coded = (quoted: string, code: string): string => {
  const colour = styled("cyan", code);
  return colour === code ? quoted : colour;
};
