import { z } from "zod";

/** What is known of a field besides its type, whatever optional, nullable or default wraps it. */
export function metaOf(schema: z.core.$ZodType): z.core.GlobalMeta {
  const inner = unwrapped(schema);
  return { ...(inner === schema ? {} : metaOf(inner)), ...z.globalRegistry.get(schema) };
}

/** The schema inside one layer of optional, nullable or default; itself when there is none. */
export function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod;
  return "innerType" in def ? (def.innerType as z.core.$ZodType) : schema;
}

/** The fields of a record or body; empty for any other schema. */
export function fieldsOf(schema: z.core.$ZodType): Record<string, z.core.$ZodType> {
  const inner = unwrapped(schema);
  if (inner !== schema) return fieldsOf(inner);
  return schema instanceof z.core.$ZodObject ? (schema._zod.def.shape as Record<string, z.core.$ZodType>) : {};
}
