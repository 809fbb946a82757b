import { z } from "zod";
import { layersOf } from "./layers";
import { fieldsOf } from "./schema-walk";

/**
 * Whether the API treats null in a request as if the field were omitted: true for an optional field that is not
 * nullable.
 */
export function nullIsAbsent(field: z.core.$ZodType): boolean {
  const { optional, nullable, initial } = layersOf(field);
  return !nullable && (optional || initial !== undefined);
}

/**
 * Removes the values from a request body that the API treats as omitted, at any depth: null in optional fields that are
 * not nullable, and null in unknown fields.
 */
export function withoutAbsent(schema: z.core.$ZodType, value: unknown): unknown {
  const { inner } = layersOf(schema);
  if (Array.isArray(value))
    return inner instanceof z.core.$ZodArray
      ? value.map((entry) => withoutAbsent(inner._zod.def.element, entry))
      : value;
  if (!(inner instanceof z.core.$ZodObject) || typeof value !== "object" || value === null) return value;
  const fields = new Map(Object.entries(fieldsOf(inner)));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
      const field = fields.get(name);
      if (part === null && (!field || nullIsAbsent(field))) return [];
      return [[name, field ? withoutAbsent(field, part) : part]];
    }),
  );
}
