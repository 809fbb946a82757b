import { camel, kebab } from "../../../api";
import { fieldOf, type Kind } from "../../../provider/engine/definition";
import { idFormat } from "../../../provider/engine/identity";
import { code, link, table } from "../markdown";
import { actingInputOf, canReplace, declarableInputs } from "../policy";

/**
 * The overview table of docs/resources: for each resource class, the inputs that cause a replacement, that change in
 * place, and that are write-only.
 */
export const changesTable = (sorted: readonly (readonly [string, Kind])[]): string =>
  table(
    ["Kind", "Changes that replace it", "Changes in place", "Write-only", "ID"],
    sorted.map(([name, kind]) => {
      const change = (key: string) => fieldOf(kind, actingInputOf(kind, key)).change;
      return [
        link(code(name), `${kebab(name)}.md`),
        listed(kind, (key) => canReplace(kind, key)),
        listed(kind, (key) => change(key) !== "writeOnly" && change(key) !== "replace"),
        listed(kind, (key) => change(key) === "writeOnly"),
        code(idFormat(kind)),
      ];
    }),
  );

const listed = (kind: Kind, has: (key: string) => boolean): string =>
  declarableInputs(kind)
    .filter(has)
    .map(
      (key) => `\`${camel(key)}\`${kind.steps?.[fieldOf(kind, actingInputOf(kind, key)).change]?.preview ? "\\*" : ""}`,
    )
    .join(", ") || "–";
