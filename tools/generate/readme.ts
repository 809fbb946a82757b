import type { z } from "zod";
import { camel, fieldsOf, kebab, metaOf } from "../../api";
import { fieldOf, type Kind } from "../../provider/engine/definition";
import { idForm } from "../../provider/engine/identity";
import { canReplace } from "./policy";

const BEGIN = "<!-- begin: the kinds, by `make generate` -->";
const END = "<!-- end: the kinds -->";
/** Rows padded to the widest cell would be too wide to read in an editor. */
const AS_IT_IS = "<!-- biome-ignore format: rows are too long to be padded -->";

/** The README with its table of kinds, from the definitions. */
export function readmeFile(text: string | undefined, kinds: Record<string, Kind>): Record<string, string> {
  if (text === undefined) return {};
  const [head, rest] = text.split(BEGIN);
  const [, tail] = rest?.split(END) ?? [];
  if (tail === undefined) throw new Error(`README.md must contain ${BEGIN} and then ${END}`);
  return { "README.md": `${head}${BEGIN}\n\n${AS_IT_IS}\n\n${kindsTable(kinds)}\n\n${END}${tail}` };
}

/** The effect of a change of each input, a row per kind. */
function kindsTable(kinds: Record<string, Kind>): string {
  const sorted = Object.entries(kinds).sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = sorted.map(([name, kind]) => {
    const change = (key: string) => fieldOf(kind, key).change;
    const replaces = listed(kind, (key) => canReplace(kind, key));
    const inPlace = listed(kind, (key) => change(key) !== "writeOnly" && change(key) !== "replace");
    const kept = listed(kind, (key) => change(key) === "writeOnly");
    return [`[\`${name}\`](docs/resources/${kebab(name)}.md)`, replaces, inPlace, kept, `\`${idForm(kind)}\``];
  });
  const table = [["Kind", "Changes that replace it", "Changes in place", "Write-only", "ID"], ...rows];
  const [head = "", ...lines] = table.map((cells) => `| ${cells.join(" | ")} |`);
  return [head, "| --- | --- | --- | --- | --- |", ...lines].join("\n");
}

const listed = (kind: Kind, has: (key: string) => boolean): string =>
  Object.keys(kind.fields)
    .filter((key) => has(key) && !metaOf(fieldsOf(kind.inputs)[key] as z.core.$ZodType).computed)
    .map((key) => `\`${camel(key)}\`${kind.steps?.[fieldOf(kind, key).change]?.preview ? "\\*" : ""}`)
    .join(", ") || "–";
