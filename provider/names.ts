import type { z } from "zod";
import { fieldsOf, metaOf } from "../api/meta";
import { mapParts, valueType } from "./engine/walk";

/** `ttl_sec` as programs write it: `ttlSec`. */
export const camel = (name: string): string =>
  name.replace(/(?<=.)_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** A program's property bag under the wire's names; keys that the schema does not know stay as they are. */
export const toWire = (schema: z.core.$ZodType, value: unknown): unknown =>
  renamed(schema, value, (name) => [camel(name), name]);

/** A bag of the wire under the names that programs use. */
export const fromWire = (schema: z.core.$ZodType, value: unknown): unknown =>
  renamed(schema, value, (name) => [name, camel(name)]);

function renamed(
  schema: z.core.$ZodType,
  value: unknown,
  names: (name: string) => [from: string, to: string],
): unknown {
  if (value === null || typeof value !== "object" || metaOf(schema).opaque) return value;
  const each = (part: z.core.$ZodType, item: unknown) => renamed(part, item, names);
  if (Array.isArray(value) || valueType(schema)) return mapParts(schema, value, each);
  const fields = new Map(
    Object.entries(fieldsOf(schema)).map(([name, field]) => [names(name)[0], { to: names(name)[1], field }]),
  );
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const known = fields.get(key);
      return known ? [known.to, each(known.field, item)] : [key, item];
    }),
  );
}
