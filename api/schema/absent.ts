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
    return inner instanceof z.core.$ZodArray ? entriesWithoutAbsent(inner._zod.def.element, value) : value;
  if (!(inner instanceof z.core.$ZodObject) || typeof value !== "object" || value === null) return value;
  const fields = fieldsOf(inner);
  // Most bodies have no such value, so an object is copied only if something in it changes.
  let changed: Record<string, unknown> | undefined;
  for (const [name, part] of Object.entries(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const isAbsent = part === null && (!field || nullIsAbsent(field));
    const cleaned = field && !isAbsent ? withoutAbsent(field, part) : part;
    if (!isAbsent && cleaned === part) continue;
    changed ??= { ...value };
    if (isAbsent) delete changed[name];
    else changed[name] = cleaned;
  }
  return changed ?? value;
}

function entriesWithoutAbsent(schema: z.core.$ZodType, entries: readonly unknown[]): readonly unknown[] {
  const cleaned = entries.map((entry) => withoutAbsent(schema, entry));
  return cleaned.some((entry, i) => entry !== entries[i]) ? cleaned : entries;
}
