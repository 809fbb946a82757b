import { z } from "zod";
import { fieldsOf, layersOf } from "../../../api";

type Schema = z.core.$ZodType;

/** All fields, at any depth, that a response can omit by its schema, such as `data[].rules.inbound[].ports`. */
export function optionalKeys(schema: Schema, at = ""): string[] {
  const { inner, optional } = layersOf(schema);
  const own = optional ? [at] : [];
  if (inner instanceof z.core.$ZodArray) return [...own, ...optionalKeys(inner._zod.def.element, `${at}[]`)];
  if (inner instanceof z.core.$ZodUnion)
    return [...own, ...inner._zod.def.options.flatMap((one) => optionalKeys(one, at))];
  const fields = Object.entries(fieldsOf(inner));
  return [...own, ...fields.flatMap(([name, field]) => optionalKeys(field, at ? `${at}.${name}` : name))];
}

/** Fields, at any depth, that the response's schema requires but the response does not contain. */
export function missingKeys(schema: Schema, value: unknown, at = ""): string[] {
  const { inner } = layersOf(schema);
  if (inner instanceof z.core.$ZodArray && Array.isArray(value))
    return value.flatMap((entry, index) => missingKeys(inner._zod.def.element, entry, `${at}[${index}]`));
  if (inner instanceof z.core.$ZodUnion) {
    const form = inner._zod.def.options.find((one) => z.safeParse(one, value).success);
    return form ? missingKeys(form, value, at) : [`${at} (no form fits)`];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(fieldsOf(inner)).flatMap(([name, field]) => {
    const path = at ? `${at}.${name}` : name;
    if (name in value) return missingKeys(field, (value as Record<string, unknown>)[name], path);
    return layersOf(field).optional ? [] : [path];
  });
}
