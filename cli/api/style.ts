import { styleText } from "node:util";
import { wrapped } from "../../api";

type Format = Parameters<typeof styleText>[0];

/** Colors text on terminals. The environment variables NO_COLOR and FORCE_COLOR take precedence. */
export const styled = (format: Format, text: string): string => styleText(format, text, { stream: process.stdout });

export const columns = (): number => process.stdout.columns || 80;

/** Formats terms with their descriptions next to them, or below a term that is too long. */
export function listed(rows: readonly (readonly [term: string, text: string])[], maxWidth = 30): string {
  const width = Math.min(maxWidth, Math.max(0, ...rows.map(([term]) => term.length)));
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

/**
 * Colors the parts of a text that are in backticks, and removes the backticks. Without colors, the backticks remain.
 */
const highlighted = (line: string): string => line.replace(/`([^`]+)`/g, (quoted, code) => coded(quoted, code));

const coded = (quoted: string, code: string): string => {
  const colour = styled("cyan", code);
  return colour === code ? quoted : colour;
};
