import type { z } from "zod";
import { fieldsOf, isObject, mapParts, metaOf, valueTypeOf } from "../../api";
import type { Bag } from "./resource";

/**
 * Where a program states something, `alerts.cpu`: down to the fields of objects; lists and keyed maps count as one. A
 * period at the end stands for an object that is stated empty.
 */
export function statedPaths(schema: z.core.$ZodType, value: unknown, path = ""): string[] {
  if (!isObject(value) || !isShaped(schema)) return path ? [path] : [];
  const fields = fieldsOf(schema);
  const stated = Object.entries(value).filter(([, item]) => item !== undefined);
  if (!stated.length && path) return [`${path}.`];
  return stated.flatMap(([key, item]) => {
    const part = fields[key];
    return part && item !== undefined ? statedPaths(part, item, path ? `${path}.${key}` : key) : [];
  });
}

/** The part of a bag that lies at the given places. */
export function atPaths(bag: Bag, paths: readonly string[]): Bag {
  const found: Bag = {};
  for (const path of paths) copyAt(bag, found, path.split("."));
  return found;
}

function copyAt(from: unknown, to: Bag, [key, ...rest]: string[]): void {
  if (key === undefined || !isObject(from) || from[key] === undefined) return;
  if (!rest.length) {
    to[key] = from[key];
    return;
  }
  const inner = isObject(to[key]) ? to[key] : {};
  to[key] = inner;
  copyAt(from[key], inner, rest);
}

/** What is seen, with the fields that are stated as they were written. */
export function overlaid(schema: z.core.$ZodType, seen: unknown, wanted: unknown): unknown {
  if (!isObject(seen) || !isObject(wanted) || !isShaped(schema)) return wanted;
  const fields = fieldsOf(schema);
  const written = Object.entries(wanted).map(([key, item]) => [
    key,
    fields[key] ? overlaid(fields[key], seen[key], item) : item,
  ]);
  return { ...seen, ...Object.fromEntries(written) };
}

/** The value without what moves by itself, however deep. */
export function steady(schema: z.core.$ZodType, value: unknown): unknown {
  const fields = fieldsOf(schema);
  const still = isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([key]) => !fields[key] || !metaOf(fields[key]).volatile))
    : value;
  return mapParts(schema, still, steady);
}

/** An object whose fields are the contract's, unlike a map under the user's own keys. */
const isShaped = (schema: z.core.$ZodType): boolean => !valueTypeOf(schema) && Object.keys(fieldsOf(schema)).length > 0;
