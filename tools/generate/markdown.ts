import { kebab } from "../../api";

/** A table as Markdown has it; its cells are not padded, since no line of it would fit a screen. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(inCell).join(" | ")} |`).join("\n");

const inCell = (text: string): string => text.replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ");

export const code = (text: string): string => `\`${text}\``;

/** The address of a heading on its page, as GitHub makes it. */
export const anchor = (heading: string): string =>
  `#${heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-")}`;

/** The page of an area, or of an operation such as `volumes.resize`, from `docs/`. */
export const apiPage = (name: string): string => {
  const [area = "", key] = name.split(".");
  return `api/${kebab(area)}.md${key ? anchor(name) : ""}`;
};

/** The page of a record, from `docs/`. */
export const recordPage = (record: string): string => `api/records.md${anchor(record)}`;

export const link = (text: string, to: string): string => `[${text}](${to})`;

/** Where the sources are, for pages of the package, which has none: package.json says the same. */
const REPOSITORY = "https://github.com/pulumi-cloudinfra/pulumi-cloudinfra";

/** A file of the repository that is not part of the package. */
export const source = (file: string): string => `${REPOSITORY}/blob/main/${file}`;
