import { z } from "zod";
import { allowed, camel, isReference, layersOf } from "../../api";

const REFERENCE = "a number, or the `id` of a resource";

/** What a program may state in a field, but for what is said of it anyway. */
export function limits(schema: z.core.$ZodType, said: string): string[] {
  const { inner } = layersOf(schema);
  if (isReference(inner)) return [REFERENCE];
  const told = allowed(schema, said);
  if (!(inner instanceof z.core.$ZodArray) || !isReference(inner._zod.def.element)) return told;
  return [...told.filter((text) => !text.startsWith("each: ")), `each: ${REFERENCE}`];
}

/** `LkeNodePool` as a word in a sentence: `LKE node pool`. */
export const wordsOf = (kind: string): string =>
  kind
    .replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase()
    .replace(/^lke\b/, "LKE");

/** A text with the field names in it as programs write them. */
export const translated = (text: string, fields: ReadonlySet<string>): string =>
  text.replace(/`(\w+)`/g, (quoted, name: string) => (fields.has(name) ? `\`${camel(name)}\`` : quoted));
