import { z } from "zod";
import { allowed, camel, isReference, layersOf, sentence } from "../../api";

const REFERENCE = "a number or the `id` of a resource";

/** The constraints of a field as sentences, except those that its description already contains. */
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

/** Converts the name of a class to words: `LkeNodePool` becomes `LKE node pool`. */
export const wordsOf = (kind: string): string =>
  kind
    .replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase()
    .replace(/^lke\b/, "LKE")
    .replace(/^o auth\b/, "OAuth")
    .replace(/\b(ip|dns)\b/, (acronym) => acronym.toUpperCase())
    .replace(/\bipv6\b/, "IPv6");

/** Converts the names of fields in a text to the names in programs. */
export const translated = (text: string, fields: ReadonlySet<string>): string =>
  text.replace(/`(\w+)`/g, (quoted, name: string) => (fields.has(name) ? `\`${camel(name)}\`` : quoted));
