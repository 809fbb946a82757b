import type { z } from "zod";
import { fieldsOf, isObject, mapParts, metaOf, partsOf, valueTypeOf } from "../../api";
import type { Bag, Kind } from "./resource";
import { same } from "./same";
import { isUnknown } from "./unknown";

/** The form in which two ways of writing the same value are equal: as the contract says, field by field. */
export function canonical(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === null || value === undefined || isUnknown(value)) return value;
  const parts = mapParts(schema, value, canonical);
  return metaOf(schema).canonical?.(parts) ?? parts;
}

/** The canonical form of one input of a kind. */
export function canonicalInput(kind: Kind, key: string, value: unknown, around: Bag): unknown {
  if (value === null || value === undefined || isUnknown(value)) return value;
  const compare = kind.compare?.[key];
  return canonical(kind.inputs.shape[key], compare ? compare(value, around) : value);
}

/** What is seen, cut down to the fields that are stated: what a program leaves out is the API's to decide. */
export function stated(schema: z.core.$ZodType, seen: unknown, wanted: unknown): unknown {
  if (Array.isArray(seen) && Array.isArray(wanted)) {
    if (seen.length !== wanted.length) return seen;
    return partsOf(schema, seen).map((part, i) => stated(part.schema, part.value, wanted[i]));
  }
  if (!isObject(seen) || !isObject(wanted)) return seen;
  const fields = fieldsOf(schema);
  // What has no fields of the contract's is the user's own, whole.
  if (!Object.keys(fields).length && !valueTypeOf(schema)) return seen;
  const kept = partsOf(schema, seen).filter(({ key }) => key in wanted || !(key in fields));
  return Object.fromEntries(kept.map((part) => [part.key, stated(part.schema, part.value, wanted[part.key])]));
}

/** Whether what is seen says all that is stated, however either is written. */
export function covers(schema: z.core.$ZodType, seen: unknown, wanted: unknown): boolean {
  const form = canonical(schema, wanted);
  return same(stated(schema, canonical(schema, seen), form), form);
}
