import { compare, getValueByPointer } from "fast-json-patch";
import { z } from "zod";
import {
  fieldsOf,
  innerOf,
  isObject,
  isReference,
  mapParts,
  metaOf,
  ownProperty,
  type Part,
  type Problem,
  partsOf,
  valueTypeOf,
} from "../../api";
import { fieldOf, type Kind } from "./definition";

/** Inputs or outputs of a resource, under the API's field names. */
export type Bag = Record<string, unknown>;

/** Copies the given keys of an object, except those whose value is undefined. */
export const pick = (bag: Bag, keys: readonly string[]): Bag =>
  Object.fromEntries(keys.flatMap((key) => (bag[key] === undefined ? [] : [[key, bag[key]]])));

export const valueAt = (value: unknown, path: Problem["path"]): unknown =>
  path.reduce(
    (inner: unknown, key) =>
      typeof inner === "object" && inner !== null ? ownProperty(inner as Bag, String(key)) : undefined,
    value,
  );

/** Pulumi's placeholder for values that are unknown in a preview. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The key by which Pulumi marks values that JSON cannot express, such as secrets and assets. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";
/** The value under the key `SIGNATURE` that marks a secret. */
export const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** Whether Pulumi has marked the value as a secret. */
export const isSecretValue = (value: unknown): boolean => isObject(value) && value[SIGNATURE] === SECRET;

export const holdsSecretValue = (value: unknown): boolean =>
  isSecretValue(value) || (typeof value === "object" && value !== null && Object.values(value).some(holdsSecretValue));

export const isUnknown = (value: unknown): boolean => value === UNKNOWN;

export function holdsUnknown(value: unknown): boolean {
  if (value === null || typeof value !== "object") return isUnknown(value);
  return Object.values(value).some(holdsUnknown);
}

/** Whether a value on the path is unknown, or the value at the path contains an unknown value. */
export function unknownAt(value: unknown, path: Problem["path"]): boolean {
  if (isUnknown(value)) return true;
  const [head, ...rest] = path;
  if (head === undefined) return holdsUnknown(value);
  return unknownAt(valueAt(value, [head]), rest);
}

export interface Difference {
  /** A JSON pointer, such as `/rules/inbound/0/ports`. */
  path: string;
  change: "add" | "remove" | "replace";
  before: unknown;
  after: unknown;
}

/** The differences between two values of an input. Null and undefined count as the same value. */
export function differencesAt(key: string, before: unknown, after: unknown): Difference[] {
  const [old, next] = [{ [key]: before ?? null }, { [key]: after ?? null }];
  return compare(old, next).map((operation) => {
    const from = operation.op === "add" ? undefined : (getValueByPointer(old, operation.path) ?? undefined);
    const to = "value" in operation ? (operation.value ?? undefined) : undefined;
    const change = from === undefined ? "add" : to === undefined ? "remove" : "replace";
    return { path: operation.path, change, before: from, after: to };
  });
}

export const same = (a: unknown, b: unknown): boolean => compare({ a: a ?? null }, { a: b ?? null }).length === 0;

/** Converts a value to a form in which equivalent values are equal. For example, sorts lists that have no order. */
export function canonical(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === null || value === undefined || isUnknown(value)) return value;
  const parts = mapParts(schema, value, canonical);
  return metaOf(schema).canonical?.(parts) ?? parts;
}

/**
 * Converts an input's value to a form in which equivalent values are equal. Some inputs require other fields of the
 * object for that, which `around` contains.
 */
export function canonicalInput(kind: Kind, key: string, value: unknown, around: Bag): unknown {
  if (value === null || value === undefined || isUnknown(value)) return value;
  const own = fieldOf(kind, key).canonical;
  return canonical(kind.inputs.shape[key], own ? own(value, around) : value);
}

/** Removes the fields that the program does not declare from the API's value, because those fields are not managed. */
export function restricted(schema: z.core.$ZodType, seen: unknown, declared: unknown): unknown {
  if (Array.isArray(seen) && Array.isArray(declared)) {
    if (seen.length !== declared.length) return seen;
    return partsOf(schema, seen).map((part, i) => restricted(part.schema, part.value, declared[i]));
  }
  if (!isObject(seen) || !isObject(declared)) return seen;
  const fields = fieldsOf(schema);
  // An object without a schema consists of user data, so all of its keys are compared.
  if (!Object.keys(fields).length && !valueTypeOf(schema)) return seen;
  const kept = partsOf(schema, seen).filter(({ key }) => Object.hasOwn(declared, key) || !Object.hasOwn(fields, key));
  const at = (key: Part["key"]): unknown => ownProperty(declared, String(key));
  return Object.fromEntries(kept.map((part) => [part.key, restricted(part.schema, part.value, at(part.key))]));
}

/** Whether a value from the API has all values that the program declares. Omitted fields are not compared. */
export function covers(schema: z.core.$ZodType, seen: unknown, declared: unknown): boolean {
  const form = canonical(schema, declared);
  return same(restricted(schema, canonical(schema, seen), form), form);
}

/**
 * The declared inputs that differ from the object, each with its differences. `around` contains all inputs and outputs,
 * because equivalence can depend on other fields.
 */
export function differences(
  kind: Kind,
  seen: Bag,
  want: Bag,
  around: Bag = { ...seen, ...want },
): Map<string, Difference[]> {
  const found = new Map<string, Difference[]>();
  for (const key of Object.keys(kind.fields)) {
    if (want[key] === undefined || fieldOf(kind, key).change === "local") continue;
    const those = inputDifferences(kind, key, seen, want, around);
    if (those.length) found.set(key, those);
  }
  return found;
}

function inputDifferences(kind: Kind, key: string, seen: Bag, want: Bag, around: Bag): Difference[] {
  if (holdsUnknown(want[key])) return [{ path: `/${key}`, change: "replace", before: seen[key], after: want[key] }];
  // A program clears an input with null, and the API then returns an empty text, so the two values are equal.
  if (want[key] === null && seen[key] === "") return [];
  const wanted = canonicalInput(kind, key, want[key], around);
  const current = canonicalInput(kind, key, seen[key], around);
  return differencesAt(key, restricted(kind.inputs.shape[key], current, wanted), wanted);
}

/**
 * Converts inputs to the values that the API expects: numeric strings to numbers, words to lower case if the API
 * ignores case, and omitted inputs to their documented defaults.
 */
export function normalise(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === undefined || value === null || isUnknown(value)) return value;
  if (typeof value === "string") return normaliseText(schema, value);
  const inner = innerOf(schema);
  return withDefaults(inner, mapParts(inner, value, normalise));
}

function normaliseText(schema: z.core.$ZodType, text: string): unknown {
  const inner = innerOf(schema);
  if (inner instanceof z.core.$ZodEnum && metaOf(schema).caseless)
    return Object.values(inner._zod.def.entries).find((word) => word === text.toLowerCase()) ?? text;
  if (!(inner instanceof z.core.$ZodNumber)) return text;
  // An id such as `12/34` in the input for a nested object stands for object 34 of parent 12, so only the last part is
  // used. Other inputs do not accept such ids.
  const own =
    isReference(inner) && metaOf(schema).part && /^\d+(\/\d+)+$/.test(text)
      ? text.slice(text.lastIndexOf("/") + 1)
      : text;
  return /^-?\d+$/.test(own) ? Number(own) : text;
}

function withDefaults(schema: z.core.$ZodType, value: unknown): unknown {
  if (!(schema instanceof z.core.$ZodObject) || !isObject(value)) return value;
  const absent = Object.entries(fieldsOf(schema)).filter(([key]) => value[key] === undefined);
  const filled = absent.flatMap(([key, field]) => {
    const initial = defaultOf(field);
    return initial === undefined ? [] : [[key, initial] as const];
  });
  const present = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries([...present, ...filled]);
}

export const defaultOf = (schema: z.core.$ZodType): unknown =>
  schema instanceof z.core.$ZodDefault ? structuredClone(schema._zod.def.defaultValue) : undefined;

const isVolatile = (field: z.core.$ZodType | undefined): boolean =>
  field !== undefined && metaOf(field).volatile === true;

/** Removes the fields that the service changes on its own, such as usage or progress, at any depth. */
export function steady(schema: z.core.$ZodType, value: unknown): unknown {
  const fields = fieldsOf(schema);
  const still = isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([key]) => !isVolatile(ownProperty(fields, key))))
    : value;
  return mapParts(schema, still, steady);
}

/**
 * The paths that a program declares, such as `alerts.cpu`. Fields of objects have paths of their own. A list, or a map
 * with user-defined keys, has a single path. A trailing period marks an empty object.
 */
export function declaredPaths(schema: z.core.$ZodType, value: unknown, path = ""): string[] {
  if (!isObject(value) || !isRecord(schema)) return path ? [path] : [];
  const fields = fieldsOf(schema);
  const declared = Object.entries(value).filter(([, item]) => item !== undefined);
  if (!declared.length && path) return [`${path}.`];
  return declared.flatMap(([key, item]) => {
    const part = ownProperty(fields, key);
    return part ? declaredPaths(part, item, path ? `${path}.${key}` : key) : [];
  });
}

export function atPaths(bag: Bag, paths: readonly string[]): Bag {
  const found: Bag = {};
  for (const path of paths) copyAt(bag, found, path.split("."));
  return found;
}

function copyAt(from: unknown, to: Bag, [key, ...rest]: string[]): void {
  if (key === undefined || !isObject(from) || from[key] === undefined) return;
  if (!rest.length) {
    to[key] = from[key];
    return;
  }
  const inner = isObject(to[key]) ? to[key] : {};
  to[key] = inner;
  copyAt(from[key], inner, rest);
}

/** Whether the schema describes an object with fixed fields, and not a map with user-defined keys. */
export const isRecord = (schema: z.core.$ZodType): boolean =>
  !valueTypeOf(schema) && Object.keys(fieldsOf(schema)).length > 0;

/** Names of the outputs in state: all except `id` and those that the service changes on its own. */
export const keptOutputs = (kind: Kind): string[] =>
  Object.entries(fieldsOf(kind.outputs)).flatMap(([key, field]) =>
    key === "id" || metaOf(field).volatile ? [] : [key],
  );
