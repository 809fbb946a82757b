import type { z } from "zod";
import { unwrapped } from "./schema-walk";

type Schema = z.core.$ZodType;

/**
 * The properties that a zod schema adds to its inner schema: whether the value can be omitted (`optional`) or null, and
 * its default (`initial`).
 */
export interface Layers {
  inner: Schema;
  optional: boolean;
  nullable: boolean;
  initial?: unknown;
}

export function layersOf(schema: Schema): Layers {
  const inside = unwrapped(schema);
  if (inside === schema) return { inner: schema, optional: false, nullable: false };
  const layers = layersOf(inside);
  const { def } = schema._zod;
  if (def.type === "optional") return { ...layers, optional: true };
  if (def.type === "nonoptional") return { ...layers, optional: false };
  if (def.type === "nullable") return { ...layers, nullable: true };
  if (def.type === "default") return { ...layers, initial: (def as z.core.$ZodDefaultDef).defaultValue };
  return layers;
}

/** Whether a parsed object always has a value for the field: the field is required, or it has a default. */
export const isFilled = (schema: Schema): boolean => {
  const { optional, initial } = layersOf(schema);
  return !optional || initial !== undefined;
};

export const isRequired = (schema: Schema): boolean => {
  const { optional, initial } = layersOf(schema);
  return !optional && initial === undefined;
};
