import { z } from "zod";
import { fieldsOf, metaOf, unwrapped } from "../../api";
import type { Bag } from "../resource";

export interface Part {
  key: string | number;
  schema: z.core.$ZodType;
  value: unknown;
}

/** The schema without any optional, nullable or default round it. */
export function bare(schema: z.core.$ZodType): z.core.$ZodType {
  const inner = unwrapped(schema);
  return inner === schema ? schema : bare(inner);
}

/** Of several forms of an object, the one that a value has; the schema itself where there is one only. */
export function formOf(schema: z.core.$ZodType, value: object): z.core.$ZodType {
  const inner = bare(schema);
  if (!(inner instanceof z.core.$ZodDiscriminatedUnion)) return schema;
  const { discriminator, options } = inner._zod.def;
  const fits = (option: z.core.$ZodType) =>
    z.safeParse(fieldsOf(option)[discriminator] ?? z.never(), (value as Bag)[discriminator]).success;
  return options.find(fits) ?? schema;
}

/** The items of a list, the fields of an object, the values of a keyed map, each with its schema where one is known. */
export function partsOf(schema: z.core.$ZodType, value: unknown): Part[] {
  const inner = bare(schema);
  if (Array.isArray(value)) {
    if (!(inner instanceof z.core.$ZodArray)) return [];
    const { element } = inner._zod.def;
    return value.map((item, key) => ({ key, schema: element, value: item }));
  }
  if (!isBag(value)) return [];
  const fields = fieldsOf(inner);
  const each = valueType(inner);
  return Object.entries(value).flatMap(([key, item]) => {
    const part = fields[key] ?? each;
    return part ? [{ key, schema: part, value: item }] : [];
  });
}

/** Applies a function to every part; what has no schema stays as it is. */
export function mapParts(
  schema: z.core.$ZodType,
  value: unknown,
  each: (schema: z.core.$ZodType, value: unknown) => unknown,
): unknown {
  const mapped = partsOf(schema, value).map((part) => [part.key, each(part.schema, part.value)] as const);
  if (Array.isArray(value)) return mapped.length ? mapped.map(([, item]) => item) : value;
  return isBag(value) ? { ...value, ...Object.fromEntries(mapped) } : value;
}

/** The type of the values of a keyed map whose keys are the user's own. */
export function valueType(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  const inner = bare(schema);
  return inner instanceof z.core.$ZodRecord ? inner._zod.def.valueType : undefined;
}

/** What a schema is made of: its fields by name, its elements or values without one. */
export function partSchemas(schema: z.core.$ZodType): [name: string | undefined, part: z.core.$ZodType][] {
  const inner = bare(schema);
  if (inner instanceof z.core.$ZodArray) return [[undefined, inner._zod.def.element]];
  if (inner instanceof z.core.$ZodUnion) return inner._zod.def.options.map((option) => [undefined, option]);
  const values = valueType(inner);
  return values ? [[undefined, values]] : Object.entries(fieldsOf(inner));
}

/** Whether the value is secret or holds something that is. */
export const isSecret = (schema: z.core.$ZodType): boolean =>
  metaOf(schema).secret === true || partSchemas(schema).some(([, part]) => isSecret(part));

export const isBag = (value: unknown): value is Bag =>
  typeof value === "object" && value !== null && !Array.isArray(value);
