import { kebab } from "../../api";

/** Formats a table in Markdown. Cells are not padded, because lines would become too long. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(inCell).join(" | ")} |`).join("\n");

const inCell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ");

export const code = (text: string): string => `\`${text}\``;

/** The anchor of a heading, as GitHub generates it. */
export const anchor = (heading: string): string =>
  `#${heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-")}`;

/** The link from a page in `docs/` to the page of an area, or to an operation such as `volumes.resize`. */
export const apiPage = (name: string): string => {
  const [area = "", key] = name.split(".");
  return `api/${kebab(area)}.md${key ? anchor(name) : ""}`;
};

/** The link from a page in `docs/` to the section of a record. */
export const recordPage = (record: string): string => `api/records.md${anchor(record)}`;

export const link = (text: string, to: string): string => `[${text}](${to})`;

/**
 * URL of the repository, as in package.json. Pages in the package link to it, because the package does not contain the
 * sources.
 */
const REPOSITORY = "https://github.com/pulumi-cloudinfra/pulumi-cloudinfra";

/** The URL of a file in the repository that is not part of the package. */
export const source = (file: string): string => `${REPOSITORY}/blob/main/${file}`;
