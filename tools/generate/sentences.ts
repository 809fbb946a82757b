import { z } from "zod";
import { allowed, camel, isReference, kebab, layersOf, metaOf, sentence } from "../../api";
import type { PropertySpec } from "./model";

const REFERENCE = "a number or the `id` of a resource";

/** The constraints of a field, such as `1 to 32 characters`, except those that its description already mentions. */
export function limits(schema: z.core.$ZodType, description: string): string[] {
  const { inner } = layersOf(schema);
  if (isReference(inner)) return [REFERENCE];
  const found = allowed(schema, description);
  if (!(inner instanceof z.core.$ZodArray) || !isReference(inner._zod.def.element)) return found;
  return [...found.filter((text) => !text.startsWith("each: ")), `each: ${REFERENCE}`];
}

/**
 * Converts a constraint to a sentence of the hover text: `1 to 32 characters` becomes `Must have 1 to 32 characters.`
 */
export function limitSentence(limit: string): string {
  const [, each, text = ""] = /^(each: )?(.*)$/s.exec(limit) ?? [];
  const verb = / (characters|entries)$/.test(text) ? "must have " : "must be ";
  const clause = text.replace(/^only /, "").replace(/^(\S+) to (\d+)$/, "between $1 and $2");
  return sentence(`${each ? "Each " : ""}${/^(must|cannot) /.test(text) ? "" : verb}${clause}`);
}

const acronyms: ReadonlyMap<string, string> = new Map(
  ["DNS", "IP", "IPv6", "LKE", "OAuth"].map((word) => [word.toLowerCase(), word]),
);

/** Converts the name of a class to words: `LkeNodePool` becomes `LKE node pool`. */
export const wordsOf = (kind: string): string =>
  kebab(kind)
    .split("-")
    .map((word) => acronyms.get(word) ?? word)
    .join(" ");

/** Converts field names in backticks to camelCase: `disk_id` becomes `diskId`. */
export const translated = (text: string, fields: ReadonlySet<string>): string =>
  text.replace(/`(\w+)`/g, (quoted, name: string) => (fields.has(name) ? `\`${camel(name)}\`` : quoted));

const DEPRECATION = / ?Deprecated: (.*)$/s;

/**
 * The description of a property, and its deprecation message: the text after "Deprecated:", or else the first sentence.
 */
export function describedBy(
  schema: z.core.$ZodType,
  sentences: readonly string[],
): Pick<PropertySpec, "description" | "deprecationMessage"> {
  const [text = "deprecated"] = sentences.filter(Boolean);
  const instead = metaOf(schema).deprecated ? sentence(DEPRECATION.exec(text)?.[1] ?? text) : "";
  const description = sentences
    .filter(Boolean)
    .map((text) => sentence(text.replace(DEPRECATION, "")))
    .filter((text) => text !== instead)
    .join(" ");
  return { ...(description ? { description } : {}), ...(instead ? { deprecationMessage: instead } : {}) };
}
