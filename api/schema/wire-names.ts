import type { z } from "zod";
import { metaOf } from "./meta";
import { camel } from "./naming";
import type { Problem } from "./problems";
import { fieldsOf, formOf, mapParts, type Part, partsOf, valueTypeOf } from "./schema-walk";

/**
 * Converts the property names of Pulumi programs, such as `rootPass`, to the API's field names, such as `root_pass`.
 * Unknown names are unchanged.
 */
export const toWire = (schema: z.core.$ZodType, value: unknown): unknown => renamed(schema, value, fieldsFromProgram);

/**
 * Converts the API's field names, such as `root_pass`, to the property names of Pulumi programs, such as `rootPass`.
 */
export const fromWire = (schema: z.core.$ZodType, value: unknown): unknown => renamed(schema, value, fieldsFromWire);

/**
 * For each field of an object's schema, its name in the other naming convention, such as `rootPass` for `root_pass`.
 */
type FieldsOf = (schema: z.core.$ZodType) => ReadonlyMap<string, { to: string; field: z.core.$ZodType }>;

const fieldsFromProgram = renamedFields((name) => [camel(name), name]);
const fieldsFromWire = renamedFields((name) => [name, camel(name)]);

function renamedFields(names: (name: string) => [from: string, to: string]): FieldsOf {
  const known = new WeakMap<z.core.$ZodType, ReturnType<FieldsOf>>();
  return (schema) => {
    const fields =
      known.get(schema) ??
      new Map(
        Object.entries(fieldsOf(schema)).map(([name, field]) => {
          const [from, to] = names(name);
          return [from, { to, field }];
        }),
      );
    known.set(schema, fields);
    return fields;
  };
}

function renamed(schema: z.core.$ZodType, value: unknown, fieldsIn: FieldsOf): unknown {
  if (value === null || typeof value !== "object" || metaOf(schema).opaque) return value;
  const each = (part: z.core.$ZodType, item: unknown) => renamed(part, item, fieldsIn);
  if (Array.isArray(value) || valueTypeOf(schema)) return mapParts(schema, value, each);
  const fields = fieldsIn(formOf(schema, value));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const known = fields.get(key);
      return known ? [known.to, each(known.field, item)] : [key, item];
    }),
  );
}

/**
 * Converts the path of an input to the property names of Pulumi programs: `alerts.network_in` becomes
 * `alerts.networkIn`.
 */
export const camelPath = (path: string): string => path.split(".").map(camel).join(".");

/**
 * Converts the path of an input to the API's names: `alerts.networkIn` becomes `alerts.network_in`. Accepts paths that
 * already have these names, because earlier versions stored them in state.
 */
export function wirePath(schema: z.core.$ZodType, path: string): string {
  const [name = "", ...rest] = path.split(".");
  const [wire = name, field] =
    Object.entries(fieldsOf(schema)).find(([key]) => key === name || camel(key) === name) ?? [];
  return rest.length ? `${wire}.${field ? wirePath(field, rest.join(".")) : rest.join(".")}` : wire;
}

/** A problem for each property that is written with the API's name, such as `root_pass` instead of `rootPass`. */
export function wireNameProblems(schema: z.core.$ZodType, value: unknown, path: Problem["path"] = []): Problem[] {
  if (value === null || typeof value !== "object" || metaOf(schema).opaque) return [];
  const inside = (part: Part): Problem[] => wireNameProblems(part.schema, part.value, [...path, part.key]);
  if (Array.isArray(value) || valueTypeOf(schema)) return partsOf(schema, value).flatMap(inside);
  return Object.entries(value).flatMap(([key, item]) => {
    const [name, field] = Object.entries(fieldsOf(schema)).find(([wire]) => wire === key || camel(wire) === key) ?? [];
    if (!name || !field) return [];
    if (camel(name) === key) return inside({ key, schema: field, value: item });
    return [{ path: [...path, key], reason: `is not a known field; did you mean "${camel(key)}"?` }];
  });
}
