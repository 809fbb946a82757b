import { z } from "zod";
import { elementOf, isReference, layersOf, metaOf, valueTypeOf } from "../../api";

type Schema = z.core.$ZodType;

/** Returns the text for a type that has a name, such as a link to `Volume`, or undefined for other types. */
type Named = (inner: Schema) => string | undefined;

const references: Named = (inner) => (isReference(inner) ? "id" : undefined);

/** Describes the type of a field in words: `list of strings`, `id or null`. */
export function typeOf(schema: Schema, named: Named = references): string {
  const { inner, nullable } = layersOf(schema);
  const type = metaOf(schema).asset ? "asset" : (named(inner) ?? typeWord(inner, named));
  return `${type}${nullable ? " or null" : ""}`;
}

function typeWord(inner: Schema, named: Named): string {
  const [element, values] = [elementOf(inner), valueTypeOf(inner)];
  if (element) return `list of ${plural(typeOf(element, named))}`;
  if (values) return `map of ${plural(typeOf(values, named))}`;
  if (inner instanceof z.core.$ZodUnion)
    return [...new Set(inner._zod.def.options.map((option) => typeOf(option, named)))].join(" or ");
  if (inner instanceof z.core.$ZodNumberFormat) return "integer";
  if (inner instanceof z.core.$ZodLiteral)
    return [...new Set(inner._zod.def.values.map((value) => typeof value))].join(" or ");
  return words[inner._zod.def.type] ?? "any value";
}

const words: Partial<Record<z.core.$ZodTypeDef["type"], string>> = {
  string: "string",
  number: "number",
  boolean: "boolean",
  enum: "string",
  object: "object",
};

const plural = (type: string): string =>
  type.replace(/^(string|number|integer|boolean|object|id|list|map|any value)\b/, "$1s");
