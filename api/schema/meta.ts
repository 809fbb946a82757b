import { z } from "zod";
import { unwrapped, visit } from "./schema-walk";

/** What the contract says of a field in addition to its type, whatever optional, nullable or default wraps it. */
export function metaOf(schema: z.core.$ZodType): z.core.GlobalMeta {
  const inner = unwrapped(schema);
  return { ...(inner === schema ? {} : metaOf(inner)), ...z.globalRegistry.get(schema) };
}

/** Whether the value is secret or holds a secret. */
export const holdsSecret = (schema: z.core.$ZodType): boolean =>
  visit(schema).some((part) => metaOf(part.schema).secret);
