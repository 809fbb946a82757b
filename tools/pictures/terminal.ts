import { stripVTControlCharacters } from "node:util";
import Anser from "anser";

export const themes = ["light", "dark"] as const;
export type Theme = (typeof themes)[number];

const [lineHeight, charWidth, padding, titleBar] = [20, 8.43, 20, 36];

interface Colors {
  background: string;
  bar: string;
  border: string;
  text: string;
  /** Replacements for the colors of the terminal, which have too little contrast with the background. */
  ansi: Readonly<Record<string, string>>;
}

/** Pulumi uses 256 colors: 1 is red, 2 green, 3 yellow, 12 blue and 13 magenta. */
const colors: Record<Theme, Colors> = {
  light: {
    background: "#fbfbfd",
    bar: "#eceef2",
    border: "#d5d9e0",
    text: "#24292f",
    ansi: {
      "187, 0, 0": "#b31d28",
      "0, 187, 0": "#116329",
      "187, 187, 0": "#8a5300",
      "85, 85, 255": "#0a4fbd",
      "255, 85, 255": "#8a2fa8",
    },
  },
  dark: {
    background: "#15181e",
    bar: "#22262e",
    border: "#333943",
    text: "#dfe3ea",
    ansi: {
      "187, 0, 0": "#ff8a80",
      "0, 187, 0": "#7ee787",
      "187, 187, 0": "#e8b94f",
      "85, 85, 255": "#79b8ff",
      "255, 85, 255": "#e0a3f5",
    },
  },
};

/** A picture of a terminal that shows the output of commands, with the colors that they print. */
export function terminal(output: string, theme: Theme, description: string): string {
  const lines = output.split("\n");
  const columns = Math.max(...lines.map((line) => stripVTControlCharacters(line).length));
  const width = Math.ceil(columns * charWidth + 2 * padding);
  const height = titleBar + 2 * padding + lines.length * lineHeight;
  const { background, bar, border, text, ansi } = colors[theme];
  const rows = rowsOf(output, ansi).map(
    (row, i) => `<text x="${padding}" y="${titleBar + padding + (i + 0.75) * lineHeight}">${row}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(description)}">
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${background}" stroke="${border}"/>
<path d="M1 ${titleBar}V11a10 10 0 0 1 10-10H${width - 11}a10 10 0 0 1 10 10V${titleBar}z" fill="${bar}"/>
${["#ff5f57", "#febc2e", "#28c840"].map((fill, i) => `<circle cx="${22 + i * 20}" cy="${titleBar / 2}" r="5.5" fill="${fill}"/>`).join("\n")}
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${text}">
${rows.join("\n")}
</g>
</svg>
`;
}

/** The text that a picture of a terminal shows. */
export const textOf = (svg: string): string =>
  [...svg.matchAll(/<text [^>]*>(.*?)<\/text>/g)]
    .map(([, row = ""]) =>
      row
        .replace(/<[^>]+>/g, "")
        .replaceAll("\u00a0", " ")
        .replaceAll("&lt;", "<")
        .replaceAll("&quot;", '"')
        .replaceAll("&amp;", "&"),
    )
    .join("\n");

/** The lines of the output as SVG. Colors can extend over several lines. */
function rowsOf(output: string, ansi: Colors["ansi"]): string[] {
  const rows = [""];
  for (const { content, fg, decorations } of Anser.ansiToJson(output, { remove_empty: true })) {
    const fill = fg && (ansi[fg] ?? `rgb(${fg})`);
    const attributes = [fill && ` fill="${fill}"`, decorations.includes("bold") && ' font-weight="bold"'];
    const [first = "", ...others] = content
      .split("\n")
      .map((part) => part && `<tspan${attributes.filter(Boolean).join("")}>${escaped(part)}</tspan>`);
    rows.push(`${rows.pop()}${first}`, ...others);
  }
  return rows;
}

/** Escapes text for SVG, where several spaces in a row would otherwise be shown as one. */
const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll(" ", "\u00a0");
