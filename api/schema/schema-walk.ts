import { z } from "zod";

type Schema = z.core.$ZodType;

/** A field of an object, an entry of a list or a value of a map: its key, its schema and its value. */
export interface Part {
  key: string | number;
  schema: Schema;
  value: unknown;
}

/** Removes one optional, nullable or default wrapper from a schema. Other schemas are unchanged. */
export function unwrapped(schema: Schema): Schema {
  const { def } = schema._zod;
  return "innerType" in def ? (def.innerType as Schema) : schema;
}

/** Removes all optional, nullable and default wrappers from a schema. */
export function innerOf(schema: Schema): Schema {
  const inner = unwrapped(schema);
  return inner === schema ? schema : innerOf(inner);
}

/** The schemas of an object's fields; empty for any other schema. */
export function fieldsOf(schema: Schema): Record<string, Schema> {
  const inner = innerOf(schema);
  return inner instanceof z.core.$ZodObject ? (inner._zod.def.shape as Record<string, Schema>) : {};
}

/** The schema of an array's elements; undefined for any other schema. */
export function elementOf(schema: Schema): Schema | undefined {
  const inner = innerOf(schema);
  return inner instanceof z.core.$ZodArray ? inner._zod.def.element : undefined;
}

/** The schema of the values of a map whose keys are user data; undefined for any other schema. */
export function valueTypeOf(schema: Schema): Schema | undefined {
  const inner = innerOf(schema);
  return inner instanceof z.core.$ZodRecord ? inner._zod.def.valueType : undefined;
}

/**
 * The variant of a union that accepts the value. Returns the given schema if it is not a union, or if no variant
 * accepts the value.
 */
export function formOf(schema: Schema, value: unknown): Schema {
  const inner = innerOf(schema);
  if (!(inner instanceof z.core.$ZodUnion)) return schema;
  const by = inner instanceof z.core.$ZodDiscriminatedUnion ? inner._zod.def.discriminator : undefined;
  const fits = (option: Schema): boolean =>
    by !== undefined && isObject(value)
      ? z.safeParse(fieldsOf(option)[by] ?? z.never(), value[by]).success
      : z.safeParse(option, value).success;
  return inner._zod.def.options.find(fits) ?? schema;
}

/**
 * The schemas directly inside a schema. For an object, these are its fields with their names; for an array, map or
 * union, its elements, values or variants, without names.
 */
export function partSchemas(schema: Schema): [name: string | undefined, part: Schema][] {
  const inner = innerOf(schema);
  if (inner instanceof z.core.$ZodObject) return Object.entries(fieldsOf(inner));
  const parts = Object.entries(inner._zod.def).flatMap(([name, part]) => (name === "checks" ? [] : [part].flat()));
  return parts.filter((part) => part instanceof z.core.$ZodType).map((part) => [undefined, part]);
}

/**
 * Yields a schema and all schemas that it contains, at any depth, each with the name of its field. The elements of an
 * array have the name of the field that contains the array.
 */
export function* visit(schema: Schema, field?: string): Generator<{ schema: Schema; field: string | undefined }> {
  yield { schema, field };
  for (const [name, part] of partSchemas(schema)) yield* visit(part, name ?? field);
}

/** The entries of a list, the fields of an object or the values of a map. Those without a schema are omitted. */
export function partsOf(schema: Schema, value: unknown): Part[] {
  if (Array.isArray(value)) {
    const element = elementOf(schema);
    return element ? value.map((item, key) => ({ key, schema: element, value: item })) : [];
  }
  if (!isObject(value)) return [];
  const fields = fieldsOf(schema);
  const each = valueTypeOf(schema);
  return Object.entries(value).flatMap(([key, item]) => {
    const part = ownProperty(fields, key) ?? each;
    return part ? [{ key, schema: part, value: item }] : [];
  });
}

/**
 * Applies a function to each entry of a list, field of an object or value of a map. Those without a schema are
 * unchanged.
 */
export function mapParts(schema: Schema, value: unknown, each: (schema: Schema, value: unknown) => unknown): unknown {
  const mapped = partsOf(schema, value).map((part) => [part.key, each(part.schema, part.value)] as const);
  if (Array.isArray(value)) return mapped.length ? mapped.map(([, item]) => item) : value;
  return isObject(value) ? { ...value, ...Object.fromEntries(mapped) } : value;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The value of an object's own property. Inherited properties such as `constructor` are ignored, because the key may be
 * user input.
 */
export const ownProperty = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
