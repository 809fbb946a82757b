import { z } from "zod";
import { unwrapped, visit } from "./schema-walk";

/**
 * The metadata of a field's schema, including that of the schema inside its optional, nullable and default wrappers.
 */
export function metaOf(schema: z.core.$ZodType): z.core.GlobalMeta {
  const known = metas.get(schema);
  if (known) return known;
  const inner = unwrapped(schema);
  const meta = { ...(inner === schema ? {} : metaOf(inner)), ...z.globalRegistry.get(schema) };
  metas.set(schema, meta);
  return meta;
}
const metas = new WeakMap<z.core.$ZodType, z.core.GlobalMeta>();

/** Whether a value of the schema is secret or contains a secret. */
export function holdsSecret(schema: z.core.$ZodType): boolean {
  const found = secretive.get(schema) ?? visit(schema).some((part) => metaOf(part.schema).secret);
  secretive.set(schema, found);
  return found;
}
const secretive = new WeakMap<z.core.$ZodType, boolean>();
