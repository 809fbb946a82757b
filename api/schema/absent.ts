import { z } from "zod";
import { layersOf } from "./layers";
import { fieldsOf } from "./schema-walk";

/** Whether null in this request field means that it is omitted: the field is optional and not nullable. */
export function nullIsAbsent(field: z.core.$ZodType): boolean {
  const { optional, nullable, initial } = layersOf(field);
  return !nullable && (optional || initial !== undefined);
}

/**
 * Removes the fields of a request body for which null means omitted, at any depth. Unknown fields that are null are
 * removed as well.
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
