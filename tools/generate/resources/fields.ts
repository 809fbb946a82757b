import { z } from "zod";
import { camel, fieldsOf, innerOf, metaOf, valueTypeOf } from "../../../api";

type Schema = z.core.$ZodType;

/** A field with its path in programs, such as `rules.inbound[].ports` or `pools.*.count`. */
export interface Field {
  path: string;
  field: Schema;
  /** Name of the top-level field that contains the field. Its own name for a top-level field. */
  key: string;
  /** Whether the field is nested. */
  nested: boolean;
}

/**
 * All fields of an object, each followed by its nested fields. With `once`, if neighboring fields have the same nested
 * fields, such as disk slots, these follow only after the first.
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

/** The type of the elements in nested lists and maps, with the suffix for the path. */
function innermost(schema: Schema, mark = ""): [part: Schema, mark: string] {
  const inner = innerOf(schema);
  if (inner instanceof z.core.$ZodArray) return innermost(inner._zod.def.element, `${mark}[]`);
  const values = valueTypeOf(inner);
  return values ? innermost(values, `${mark}.*`) : [inner, mark];
}
