import { z } from "zod";
import { boundsOf, fieldsOf, isRequired, layersOf, metaOf } from "../../../api";

type Schema = z.core.$ZodType;
export type Path = readonly (string | number)[];

/** A request body with one invalid value. */
export interface Bad extends Omit<Wrong, "path"> {
  /** The invalid field and its value, such as `size: 9`. A failed test prints them. */
  what: string;
  /** The path of the field that the API's error response must name as invalid. */
  field: string;
  body: unknown;
}

/** Placeholder for a field that is removed from the body. */
export const ABSENT = Symbol("absent");

/** All variants of a valid body in which one field is invalid, at any depth. */
export function badBodies(schema: Schema, good: unknown): Bad[] {
  return [...wrongs(schema, [], good)].map(({ path, value, schema }) => ({
    schema,
    value,
    what: `${path.join(".")}: ${value === ABSENT ? "absent" : (JSON.stringify(value)?.slice(0, 60) ?? "")}`,
    field: path.join("."),
    body: changed(good ?? {}, path, value),
  }));
}

interface Wrong {
  path: Path;
  value: unknown;
  schema?: Schema | undefined;
}

function* wrongs(schema: Schema, path: Path, good: unknown): Iterable<Wrong> {
  const { inner } = layersOf(schema);
  if (path.length > 0) for (const value of badValues(schema, good)) yield { path, value, schema };
  if (inner instanceof z.core.$ZodArray) {
    yield* wrongs(inner._zod.def.element, [...path, 0], Array.isArray(good) ? good[0] : undefined);
  } else if (inner instanceof z.core.$ZodObject) {
    for (const [name, field] of Object.entries(fieldsOf(inner))) {
      const at = [...path, name];
      if (isRequired(field)) yield { path: at, value: ABSENT, schema: field };
      yield* wrongs(field, at, (good as Record<string, unknown> | undefined)?.[name]);
    }
    yield { path: [...path, "nonsense"], value: 1 };
  }
}

const kinds = { string: "text", number: 7, boolean: true, list: [], object: {} };

/** Values that are invalid because of the field's type, bounds, enum or format. */
export function badValues(schema: Schema, good?: unknown): unknown[] {
  const { inner, nullable } = layersOf(schema);
  const kind = kindOf(inner);
  if (kind === undefined) return [];
  const others = Object.entries(kinds).flatMap(([name, value]) => (name === kind ? [] : [value]));
  const bad: unknown[] = [...others, ...(nullable ? [] : [null])];
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = boundsOf(schema);
  const countable = max < Number.MAX_SAFE_INTEGER;
  if (kind === "number") {
    if (isWhole(inner)) bad.push(1.5);
    if (min > Number.MIN_SAFE_INTEGER) bad.push(min - 1);
    if (countable) bad.push(max + 1);
  }
  if (kind === "string") {
    if (min > 0) bad.push("x".repeat(min - 1));
    if (countable) bad.push("x".repeat(max + 1));
    bad.push(...odd.filter((text) => !z.safeParse(inner, text).success));
    if (inner instanceof z.core.$ZodEnum || metaOf(schema).catalogue) bad.push("nonsense");
  }
  if (kind === "list") {
    const entry = Array.isArray(good) && good.length > 0 ? good[0] : null;
    if (min > 0) bad.push(Array(min - 1).fill(entry));
    if (countable) bad.push(Array(max + 1).fill(entry));
  }
  return bad;
}

/** Texts that are invalid for most string formats, such as labels, host names, addresses and URLs. */
const odd = ["", " ", "?", "-", "a b", "a\nb", "ä", "\u{1f600}", "--", "a--b", "0", "x:y", "http://", "300.1.1.1"];

function kindOf(inner: Schema): keyof typeof kinds | undefined {
  const { type } = inner._zod.def;
  if (type === "array") return "list";
  if (type === "object" || type === "record") return "object";
  if (type === "enum" || type === "literal") return "string";
  return type === "string" || type === "number" || type === "boolean" ? type : undefined;
}

const isWhole = (inner: Schema): boolean => z.safeParse(inner, 1.5).error?.issues[0]?.code === "invalid_type";

/** A copy of `value` in which the part at the path is replaced by `to`. Missing objects along the path are created. */
export function changed(value: unknown, [key, ...rest]: Path, to: unknown): unknown {
  if (key === undefined) return to;
  if (typeof key === "number") {
    const list = Array.isArray(value) && value.length > 0 ? [...value] : [undefined];
    list[key] = changed(list[key], rest, to);
    return list;
  }
  const record = { ...(value as Record<string, unknown> | null | undefined) };
  if (to === ABSENT && rest.length === 0) delete record[key];
  else record[key] = changed(record[key], rest, to);
  return record;
}
