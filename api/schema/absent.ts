import { z } from "zod";
import { layersOf } from "./layers";
import { fieldsOf } from "./schema-walk";

/**
 * Whether null in a request means that the field is omitted. This applies to fields that are optional and not nullable.
 */
export function nullIsAbsent(field: z.core.$ZodType): boolean {
  const { optional, nullable, initial } = layersOf(field);
  return !nullable && (optional || initial !== undefined);
}

/**
 * Removes the fields of a request body that are null but not nullable, and unknown fields that are null, at any depth.
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
