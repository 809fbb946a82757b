import type { z } from "zod";
import { layersOf } from "./bounds";
import { fieldsOf, metaOf } from "./meta";

type Schema = z.core.$ZodType;

/** The fields that a list can be filtered by, such as `label` and `entity.id`, each with what one value of it is. */
export function filterableBy(entry: Schema, prefix = ""): Map<string, Schema> {
  const found = Object.entries(fieldsOf(entry)).flatMap(([name, field]): [string, Schema][] => [
    ...(metaOf(field).filterable ? [[prefix + name, elementOf(field) ?? field] as [string, Schema]] : []),
    ...filterableBy(field, `${prefix}${name}.`),
  ]);
  return new Map(found);
}

/** What an array holds; undefined for anything else. */
export function elementOf(schema: Schema): Schema | undefined {
  const { def } = layersOf(schema).inner._zod;
  return def.type === "array" ? (def as z.core.$ZodArrayDef).element : undefined;
}
