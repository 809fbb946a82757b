import { z } from "zod";
import { Id } from "../../api/common";
import { fieldsOf, metaOf, unwrapped } from "../../api/meta";
import { bare, valueType } from "../../provider/engine/walk";

type Schema = z.core.$ZodType;

/** What wraps a schema: whether the value may be absent or null, and what stands for it then. */
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

/** Whether a value is there even if the program states none. */
export const isFilled = (schema: Schema): boolean => {
  const { optional, initial } = layersOf(schema);
  return !optional || initial !== undefined;
};

/** Whether the program has to state a value. */
export const isRequired = (schema: Schema): boolean => {
  const { optional, initial } = layersOf(schema);
  return !optional && initial === undefined;
};

/** The schema that a chain of `.describe()` and `.meta()` started from: all its copies are of one shape. */
export const originOf = (schema: Schema): Schema => (schema._zod.parent ? originOf(schema._zod.parent) : schema);

/** Whether the field holds the id of another object: the contract makes all of those from `Id`. */
export function isReference(schema: Schema): boolean {
  const { inner } = layersOf(schema);
  return inner === Id || (inner._zod.parent !== undefined && isReference(inner._zod.parent));
}

/** What a schema is made of: its fields by name, its elements or values without one. */
function partSchemas(schema: Schema): [name: string | undefined, part: Schema][] {
  const inner = bare(schema);
  if (inner instanceof z.core.$ZodArray) return [[undefined, inner._zod.def.element]];
  if (inner instanceof z.core.$ZodUnion) return inner._zod.def.options.map((option) => [undefined, option]);
  const values = valueType(inner);
  return values ? [[undefined, values]] : Object.entries(fieldsOf(inner));
}

/** Whether the value is secret or holds something that is. */
export const isSecret = (schema: Schema): boolean =>
  metaOf(schema).secret === true || partSchemas(schema).some(([, part]) => isSecret(part));

/** Every field name in a schema, however deep. */
export const fieldNames = (schema: Schema): string[] =>
  partSchemas(schema).flatMap(([name, part]) => [...(name === undefined ? [] : [name]), ...fieldNames(part)]);
