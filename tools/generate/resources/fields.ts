import { z } from "zod";
import { camel, fieldsOf, innerOf, metaOf, valueTypeOf } from "../../../api";

type Schema = z.core.$ZodType;

/** A field with the way to it as a program writes it: `rules.inbound[].ports`, `pools.*.count`. */
export interface Field {
  path: string;
  field: Schema;
  /** The field of the object itself that it lies in; its own name at the top. */
  key: string;
  /** Whether it lies in another one. */
  nested: boolean;
}

/**
 * Every field of an object that a program can state or read, those of the objects in it after the one that holds them;
 * `once` only after the first of several beside each other that have the same, as the slots for disks do.
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

/** What a list or map holds, however deep, and how the way there is written. */
function innermost(schema: Schema, mark = ""): [part: Schema, mark: string] {
  const inner = innerOf(schema);
  if (inner instanceof z.core.$ZodArray) return innermost(inner._zod.def.element, `${mark}[]`);
  const values = valueTypeOf(inner);
  return values ? innermost(values, `${mark}.*`) : [inner, mark];
}
