import { z } from "zod";
import { camel, fieldsOf, innerOf, metaOf, valueTypeOf } from "../../../api";

type Schema = z.core.$ZodType;

/** A field and its path as a program writes it: `rules.inbound[].ports`, `pools.*.count`. */
export interface Field {
  path: string;
  field: Schema;
  /** The top-level field that contains it; its own name at the top level. */
  key: string;
  /** Whether it is nested. */
  nested: boolean;
}

/**
 * Every field of an object, each followed by its nested fields. With `once`, siblings with the same nested fields, such
 * as disk slots, list them only after the first.
 */
export function* fieldsIn(
  schema: Schema,
  once = false,
  within?: Pick<Field, "path" | "key">,
  spelled: (name: string) => string = camel,
): Iterable<Field> {
  const told = new Set<Schema>();
  for (const [name, field] of Object.entries(fieldsOf(innerOf(schema)))) {
    if (metaOf(field).computed) continue;
    const path = `${within?.path ?? ""}${spelled(name)}`;
    const key = within?.key ?? name;
    yield { path, field, key, nested: within !== undefined };
    const [part, mark] = innermost(field);
    if (metaOf(field).opaque || (once && told.has(part))) continue;
    told.add(part);
    yield* fieldsIn(part, once, { path: `${path}${mark}.`, key }, spelled);
  }
}

/** The element type of nested lists and maps, and its path suffix. */
function innermost(schema: Schema, mark = ""): [part: Schema, mark: string] {
  const inner = innerOf(schema);
  if (inner instanceof z.core.$ZodArray) return innermost(inner._zod.def.element, `${mark}[]`);
  const values = valueTypeOf(inner);
  return values ? innermost(values, `${mark}.*`) : [inner, mark];
}
