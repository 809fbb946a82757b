import { z } from "zod";
import {
  fieldsOf,
  innerOf,
  isObject,
  isReference,
  mapParts,
  metaOf,
  ownProperty,
  type Problem,
  valueTypeOf,
} from "../../api";
import type { Kind } from "./definition";

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

export const containsSecretValue = (value: unknown): boolean =>
  isSecretValue(value) ||
  (typeof value === "object" && value !== null && Object.values(value).some(containsSecretValue));

export const isUnknown = (value: unknown): boolean => value === UNKNOWN;

export function containsUnknown(value: unknown): boolean {
  if (value === null || typeof value !== "object") return isUnknown(value);
  return Object.values(value).some(containsUnknown);
}

/** Whether a value on the path is unknown, or the value at the path contains an unknown value. */
export function unknownAt(value: unknown, path: Problem["path"]): boolean {
  if (isUnknown(value)) return true;
  const [head, ...rest] = path;
  if (head === undefined) return containsUnknown(value);
  return unknownAt(valueAt(value, [head]), rest);
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

/**
 * Removes the fields that the service changes on its own, such as usage or progress, and fields of a newer service that
 * the contract does not have, at any depth.
 */
export function withoutVolatile(schema: z.core.$ZodType, value: unknown): unknown {
  const fields = fieldsOf(schema);
  const isStable = (key: string): boolean =>
    !isRecord(schema) || (Object.hasOwn(fields, key) && !isVolatile(ownProperty(fields, key)));
  const stable = isObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => isStable(key))) : value;
  return mapParts(schema, stable, withoutVolatile);
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

/** The values at the given paths. An object that is null is copied as null, also if the path leads to one of its parts. */
export function atPaths(bag: Bag, paths: readonly string[]): Bag {
  const found: Bag = {};
  for (const path of paths) copyAt(bag, found, path.split("."));
  return found;
}

function copyAt(from: unknown, to: Bag, [key, ...rest]: string[]): void {
  if (key === undefined || !isObject(from) || from[key] === undefined) return;
  if (!rest.length || from[key] === null) {
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
export const stateOutputs = (kind: Kind): string[] =>
  Object.entries(fieldsOf(kind.outputs)).flatMap(([key, field]) =>
    key === "id" || metaOf(field).volatile ? [] : [key],
  );
