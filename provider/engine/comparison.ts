import { compare, getValueByPointer } from "fast-json-patch";
import type { z } from "zod";
import {
  elementOf,
  fieldsOf,
  isObject,
  isRequired,
  mapParts,
  metaOf,
  ownProperty,
  type Part,
  partsOf,
  valueTypeOf,
} from "../../api";
import { fieldOf, inputSchema, type Kind } from "./definition";
import { type Bag, containsUnknown, isUnknown } from "./values";

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

export const isEqual = (a: unknown, b: unknown): boolean => compare({ a: a ?? null }, { a: b ?? null }).length === 0;

/** Converts a value to a form in which equivalent values are equal. For example, sorts lists that have no order. */
export function canonical(schema: z.core.$ZodType, value: unknown): unknown {
  if (value === null || value === undefined || isUnknown(value)) return value;
  const parts = mapParts(schema, value, canonical);
  return metaOf(schema).canonical?.(parts) ?? parts;
}

/**
 * Converts an input's value to a form in which equivalent values are equal. Some inputs require other fields of the
 * object for that, which `siblings` contains, or the object's value of the input itself.
 */
export function canonicalInput(kind: Kind, key: string, value: unknown, siblings: Bag, observed?: unknown): unknown {
  if (value === null || value === undefined || isUnknown(value)) return value;
  const toCanonical = fieldOf(kind, key).canonical;
  return canonical(inputSchema(kind, key), toCanonical ? toCanonical(value, siblings, observed ?? undefined) : value);
}

/**
 * Removes the fields that the program does not declare from the API's value, because those fields are not managed.
 * `form` is the declared value in its canonical form, which can declare more fields: those whose absence is a value,
 * such as the addresses of a firewall rule. They are left out if the API's value, in its canonical form `own`, is the
 * same.
 */
export function onlyDeclared(
  schema: z.core.$ZodType,
  observed: unknown,
  declared: unknown,
  form: unknown = declared,
  own: unknown = observed,
): unknown {
  if (Array.isArray(observed) && Array.isArray(declared)) {
    // A list without a schema for its entries consists of user data, so all of it is compared.
    if (observed.length !== declared.length || !elementOf(schema)) return observed;
    return partsOf(schema, observed).map((part, i) => onlyDeclared(part.schema, part.value, declared[i]));
  }
  if (!isObject(observed) || !isObject(declared)) return observed;
  const fields = fieldsOf(schema);
  // An object without a schema consists of user data, so all of its keys are compared.
  if (!Object.keys(fields).length && !valueTypeOf(schema)) return observed;
  const toForm = metaOf(schema).canonical;
  const complete = toForm ? toForm(declared) : form;
  const current = toForm ? toForm(observed) : own;
  const at = (bag: unknown, key: Part["key"]): unknown => (isObject(bag) ? ownProperty(bag, String(key)) : undefined);
  const differs = ({ key }: Part) =>
    isObject(complete) && Object.hasOwn(complete, key) && !isEqual(at(current, key), at(complete, key));
  const compared = partsOf(schema, observed).filter(
    (part) => Object.hasOwn(declared, part.key) || !Object.hasOwn(fields, part.key) || differs(part),
  );
  return Object.fromEntries(
    compared.map((part) => [
      part.key,
      onlyDeclared(part.schema, part.value, at(declared, part.key), at(complete, part.key), at(current, part.key)),
    ]),
  );
}

/** Whether a value from the API has all values that the program declares. Omitted fields are not compared. */
export function matchesDeclared(schema: z.core.$ZodType, observed: unknown, declared: unknown): boolean {
  const expected = canonical(schema, declared);
  return isEqual(onlyDeclared(schema, canonical(schema, observed), expected), expected);
}

/**
 * The declared inputs that differ from the object, each with its differences. `siblings` contains all inputs and
 * outputs, because equivalence can depend on other fields.
 */
export function differences(
  kind: Kind,
  observed: Bag,
  want: Bag,
  siblings: Bag = { ...observed, ...want },
): Map<string, Difference[]> {
  const found = new Map<string, Difference[]>();
  for (const key of Object.keys(kind.fields)) {
    if (want[key] === undefined || fieldOf(kind, key).change === "local") continue;
    const ofInput = inputDifferences(kind, key, observed, want, siblings);
    if (ofInput.length) found.set(key, ofInput);
  }
  return found;
}

function inputDifferences(kind: Kind, key: string, observed: Bag, want: Bag, siblings: Bag): Difference[] {
  if (containsUnknown(want[key]))
    return [{ path: `/${key}`, change: "replace", before: observed[key], after: want[key] }];
  // An imported object has no value of a required input that the API never returns, which must not replace it.
  const isNeverReturned = fieldOf(kind, key).replaceReason !== undefined;
  if (isNeverReturned && observed[key] === undefined && isRequired(inputSchema(kind, key))) return [];
  // A program clears an input with null, and the API then returns an empty text, so the two values are equal.
  if (want[key] === null && observed[key] === "") return [];
  const wanted = canonicalInput(kind, key, want[key], siblings, observed[key]);
  const current = canonicalInput(kind, key, observed[key], siblings, observed[key]);
  return differencesAt(key, onlyDeclared(inputSchema(kind, key), current, wanted), wanted);
}
