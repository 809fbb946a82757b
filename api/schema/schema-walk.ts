import { z } from "zod";

type Schema = z.core.$ZodType;

/** A part of a value: its key there, and its schema. */
export interface Part {
  key: string | number;
  schema: Schema;
  value: unknown;
}

/** The schema inside one layer of optional, nullable or default; the schema itself if it has no such layer. */
export function unwrapped(schema: Schema): Schema {
  const { def } = schema._zod;
  return "innerType" in def ? (def.innerType as Schema) : schema;
}

/** The schema without any layers of optional, nullable or default. */
export function innerOf(schema: Schema): Schema {
  const inner = unwrapped(schema);
  return inner === schema ? schema : innerOf(inner);
}

/** The fields of a record or body; empty for any other schema. */
export function fieldsOf(schema: Schema): Record<string, Schema> {
  const inner = innerOf(schema);
  return inner instanceof z.core.$ZodObject ? (inner._zod.def.shape as Record<string, Schema>) : {};
}

/** The element schema of an array; undefined for any other schema. */
export function elementOf(schema: Schema): Schema | undefined {
  const inner = innerOf(schema);
  return inner instanceof z.core.$ZodArray ? inner._zod.def.element : undefined;
}

/** The schema of the values of a keyed map, whose keys are user data. */
export function valueTypeOf(schema: Schema): Schema | undefined {
  const inner = innerOf(schema);
  return inner instanceof z.core.$ZodRecord ? inner._zod.def.valueType : undefined;
}

/** The variant of a union that fits a value; the schema itself if it is not a union or none fits. */
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

/** The parts of a schema: fields with their names, and elements, values and variants without a name. */
export function partSchemas(schema: Schema): [name: string | undefined, part: Schema][] {
  const inner = innerOf(schema);
  if (inner instanceof z.core.$ZodObject) return Object.entries(fieldsOf(inner));
  const parts = Object.entries(inner._zod.def).flatMap(([name, part]) => (name === "checks" ? [] : [part].flat()));
  return parts.filter((part) => part instanceof z.core.$ZodType).map((part) => [undefined, part]);
}

/** A schema and all schemas that it contains, at any depth, each with the name of its field. */
export function* visit(schema: Schema, field?: string): Generator<{ schema: Schema; field: string | undefined }> {
  yield { schema, field };
  for (const [name, part] of partSchemas(schema)) yield* visit(part, name ?? field);
}

/** The items of a list, the fields of an object, the values of a keyed map, each with its schema if it has one. */
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

/** Applies a function to every part; a part without a schema stays unchanged. */
export function mapParts(schema: Schema, value: unknown, each: (schema: Schema, value: unknown) => unknown): unknown {
  const mapped = partsOf(schema, value).map((part) => [part.key, each(part.schema, part.value)] as const);
  if (Array.isArray(value)) return mapped.length ? mapped.map(([, item]) => item) : value;
  return isObject(value) ? { ...value, ...Object.fromEntries(mapped) } : value;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value of a key from user input: inherited names such as `constructor` do not count. */
export const ownProperty = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
