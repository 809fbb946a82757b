import { isObject } from "../../api";

/** A filter of jq, which maps one value to any number of values. */
export type Filter = (input: unknown) => unknown[];

/** A syntax error, or a filter that does not apply to its input. */
export class InvalidFilterError extends Error {}

export const constant =
  (value: unknown): Filter =>
  () => [value];

export const identity: Filter = (input) => [input];

export const piped =
  (first: Filter, second: Filter): Filter =>
  (input) =>
    first(input).flatMap(second);

export const both =
  (first: Filter, second: Filter): Filter =>
  (input) => [...first(input), ...second(input)];

/** Applies an operator to every pair of results of both sides. */
export const combined =
  (left: Filter, right: Filter, operator: (a: unknown, b: unknown) => unknown): Filter =>
  (input) =>
    right(input).flatMap((b) => left(input).map((a) => operator(a, b)));

/**
 * Reads a field. As in jq, a field of null is null, and a field of any other value that is not an object is an error.
 */
export const field =
  (name: string): Filter =>
  (input) => {
    if (input === null || input === undefined) return [null];
    if (!isObject(input)) throw new InvalidFilterError(`cannot read field "${name}" of ${kindOf(input)}`);
    return [Object.hasOwn(input, name) ? input[name] : null];
  };

export const item =
  (at: number): Filter =>
  (input) => {
    if (input === null) return [null];
    if (!Array.isArray(input)) throw new InvalidFilterError(`cannot read entry ${at} of ${kindOf(input)}`);
    return [input.at(at) ?? null];
  };

export const spread: Filter = (input) => {
  if (Array.isArray(input)) return input;
  if (!isObject(input)) throw new InvalidFilterError(`cannot iterate over ${kindOf(input)}`);
  return Object.values(input);
};

export const tolerant =
  (filter: Filter): Filter =>
  (input) => {
    try {
      return filter(input);
    } catch (error) {
      if (error instanceof InvalidFilterError) return [];
      throw error;
    }
  };

export const collected =
  (filter: Filter): Filter =>
  (input) => [filter(input)];

/**
 * Builds an object for each combination of the results of the parts. As in jq, the last part varies fastest, and a part
 * without results gives no object.
 */
export const record =
  (parts: readonly (readonly [string, Filter])[]): Filter =>
  (input) => {
    let objects: Record<string, unknown>[] = [{}];
    for (const [key, filter] of parts) {
      const values = filter(input);
      objects = objects.flatMap((object) => values.map((value) => ({ ...object, [key]: value ?? null })));
    }
    return objects;
  };

export const isTrue = (value: unknown): boolean => value !== false && value !== null && value !== undefined;

const equal = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const less = (a: unknown, b: unknown): boolean => {
  if (typeof a !== typeof b || (typeof a !== "number" && typeof a !== "string"))
    throw new InvalidFilterError(`cannot compare ${kindOf(a)} with ${kindOf(b)}`);
  return a < (b as typeof a);
};

export const comparisons = byName<(a: unknown, b: unknown) => boolean>({
  "==": equal,
  "!=": (a, b) => !equal(a, b),
  "<": less,
  ">": (a, b) => less(b, a),
  "<=": (a, b) => !less(b, a),
  ">=": (a, b) => !less(a, b),
});

export const functions = byName<Filter>({
  length: (input) => {
    if (typeof input === "number") return [Math.abs(input)];
    if (typeof input === "boolean") throw new InvalidFilterError("a boolean does not have a length");
    return [typeof input === "string" ? [...input].length : Object.keys(input ?? {}).length];
  },
  keys: (input) => {
    if (Array.isArray(input)) return [[...input.keys()]];
    if (!isObject(input)) throw new InvalidFilterError(`${kindOf(input)} does not have keys`);
    return [Object.keys(input).sort()];
  },
  not: (input) => [!isTrue(input)],
});

export const takingFilters = byName<(filter: Filter) => Filter>({
  select: (filter) => (input) => filter(input).flatMap((one) => (isTrue(one) ? [input] : [])),
  map: (filter) => collected(piped(spread, filter)),
  join: (filter) => (input) =>
    filter(input).map((by) => (spread(input) as unknown[]).map((one) => String(one ?? "")).join(String(by))),
});

/** Converts an object to a map, in which a lookup does not find inherited names such as `constructor`. */
function byName<T>(table: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(table));
}

const kindOf = (value: unknown): string =>
  value === null
    ? "null"
    : Array.isArray(value)
      ? "a list"
      : typeof value === "object"
        ? "an object"
        : `a ${typeof value}`;
