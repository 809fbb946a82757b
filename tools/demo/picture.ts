import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import Anser from "anser";

const target = join(__dirname, "../../../docs/demo.svg");
const [lineHeight, padding, titleBar, columns] = [19, 18, 34, 76];
const colours = { background: "#1b1f27", text: "#d7dae0", bar: "#2a303b" };
/** Colors that replace the colors of the terminal, which are too dark for the background of the picture. */
const brighter: Record<string, string> = { "187, 0, 0": "#ff7b72", "0, 187, 0": "#7ee787", "187, 187, 0": "#e3b341" };

/** Titles of the demo's steps that the picture shows. Of their output, it shows the lines that match `shown`. */
const steps = ["Create the stack", "Detect drift", "Correct the drift"];
const shown = [
  /^ *\$ pulumi/,
  /was (renamed|deleted)/,
  /^ +[~-] (pulumi-nodejs:\S+ \(|label)/,
  /^Resources:/,
  /^ +[~+-] \d+ /,
  /\d+ unchanged/,
];

/** Draws a picture of the colored output of `make demo`, which is read from the standard input. */
function main(): void {
  const lines = readFileSync(0, "utf8").replaceAll("\r", "").split("\n");
  writeFileSync(target, svg(steps.flatMap((title, i) => [...(i ? [""] : []), ...stepOf(lines, title)])));
}

function stepOf(lines: readonly string[], title: string): string[] {
  const begin = lines.findIndex((line) => line.includes(` · ${title}`));
  if (begin < 0)
    throw new Error(`standard input must be the output of the demo: it does not contain the step "${title}"`);
  const length = lines.slice(begin + 1).findIndex((line) => line.includes("━━"));
  return lines
    .slice(begin + 1, begin + 1 + length)
    .filter((line) => shown.some((pattern) => pattern.test(stripVTControlCharacters(line))));
}

function svg(lines: readonly string[]): string {
  const height = titleBar + 2 * padding + lines.length * lineHeight;
  const width = columns * 8.4 + 2 * padding;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Terminal: pulumi refresh reports a renamed instance and a deleted DNS record, pulumi up corrects both">
<rect width="100%" height="100%" rx="9" fill="${colours.background}"/>
<path d="M0 ${titleBar}V9a9 9 0 0 1 9-9H${width - 9}a9 9 0 0 1 9 9V${titleBar}z" fill="${colours.bar}"/>
${["#ff5f57", "#febc2e", "#28c840"].map((fill, i) => `<circle cx="${20 + i * 20}" cy="${titleBar / 2}" r="6" fill="${fill}"/>`).join("\n")}
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${colours.text}">
${lines.map((line, i) => `<text x="${padding}" y="${titleBar + padding + (i + 0.75) * lineHeight}">${spans(line)}</text>`).join("\n")}
</g>
</svg>
`;
}

const spans = (line: string): string =>
  Anser.ansiToJson(line, { remove_empty: true })
    .map(({ content, fg, decorations }) => {
      const fill = fg && (brighter[fg] ?? `rgb(${fg})`);
      const attributes = [fill && ` fill="${fill}"`, decorations.includes("bold") && ' font-weight="bold"'];
      return `<tspan${attributes.filter(Boolean).join("")}>${escaped(content)}</tspan>`;
    })
    .join("");

/**
 * Escapes text for the SVG. Spaces become non-breaking spaces, because several spaces in a row would otherwise be shown
 * as one.
 */
const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(" ", "\u00a0");

main();
