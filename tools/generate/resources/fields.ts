import { z } from "zod";
import { camel, fieldsOf, innerOf, metaOf, valueTypeOf } from "../../../api";

type Schema = z.core.$ZodType;

/** A field with its path in programs, such as `rules.inbound[].ports` or `pools.*.count`. */
export interface Field {
  path: string;
  field: Schema;
  /** Name of the top-level field that contains this field, such as `rules`. For a top-level field, its own name. */
  key: string;
  nested: boolean;
}

/**
 * All fields of an object, each followed by its nested fields. With `once`, nested fields of the same type are listed
 * only after the first field, for example for `sda` but not for `sdb`.
 */
export function* fieldsIn(
  schema: Schema,
  once = false,
  within?: Pick<Field, "path" | "key">,
  spell: (name: string) => string = camel,
): Iterable<Field> {
  const listed = new Set<Schema>();
  for (const [name, field] of Object.entries(fieldsOf(innerOf(schema)))) {
    if (metaOf(field).computed) continue;
    const path = `${within?.path ?? ""}${spell(name)}`;
    const key = within?.key ?? name;
    yield { path, field, key, nested: within !== undefined };
    const [part, mark] = innermost(field);
    if (metaOf(field).opaque || (once && listed.has(part))) continue;
    listed.add(part);
    yield* fieldsIn(part, once, { path: `${path}${mark}.`, key }, spell);
  }
}

/**
 * Unwraps nested lists and maps. Returns the type of the innermost values, and the suffix of their path, such as
 * `[].*`.
 */
function innermost(schema: Schema, mark = ""): [part: Schema, mark: string] {
  const inner = innerOf(schema);
  if (inner instanceof z.core.$ZodArray) return innermost(inner._zod.def.element, `${mark}[]`);
  const values = valueTypeOf(inner);
  return values ? innermost(values, `${mark}.*`) : [inner, mark];
}
