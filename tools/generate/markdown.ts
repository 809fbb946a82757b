import type { z } from "zod";
import { isRequired, kebab, layersOf, metaOf, sentence } from "../../api";

/**
 * Formats a Markdown table. Cells are not padded to the same width, because long cells would make all lines too long.
 */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(inCell).join(" | ")} |`).join("\n");

const inCell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ");

export const code = (text: string): string => `\`${text}\``;

/** The name of a field of a request. Required fields are in bold. */
export const requestField = (path: string, field: z.core.$ZodType): string =>
  isRequired(field) ? `**${code(path)}**` : code(path);

/** The sentences that describe a field, with its default. */
export function descriptionOf(field: z.core.$ZodType): string[] {
  const { description } = metaOf(field);
  const { initial } = layersOf(field);
  return [
    ...(description ? [sentence(description)] : []),
    ...(initial === undefined ? [] : [`Defaults to ${code(JSON.stringify(initial))}.`]),
  ];
}

/** The anchor of a heading, as GitHub generates it. */
export const anchor = (heading: string): string =>
  `#${heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-")}`;

/** The link from a page in docs/ to a group of API operations (`volumes`), or to a single one (`volumes.resize`). */
export const apiPage = (name: string): string => {
  const [area = "", key] = name.split(".");
  return `api/${kebab(area)}.md${key ? anchor(name) : ""}`;
};

/** The link from a page in docs/ to the section of an object type, such as `Volume`. */
export const recordPage = (record: string): string => `api/records.md${anchor(record)}`;

export const link = (text: string, to: string): string => `[${text}](${to})`;

/**
 * URL of the repository, as in package.json. Docs use it for links to source files, which the npm package does not
 * contain.
 */
const REPOSITORY = "https://github.com/pulumi-cloudinfra/pulumi-cloudinfra";

export const source = (file: string): string => `${REPOSITORY}/blob/main/${file}`;
