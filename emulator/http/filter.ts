import type { z } from "zod";
import { cannotFilter, filterableFields, isObject, ownProperty } from "../../api";
import { Reasons } from "../core/error-response";
import { at } from "../core/store";
import { rejectUnsafeJson } from "../core/unsafe-json";

type Entry = Readonly<Record<string, unknown>>;
type Test = (entry: Entry) => boolean;
type Filterable = ReturnType<typeof filterableFields>;

export interface Filter {
  matches: Test;
  /** Absent if the header specifies no order. */
  order?: (a: Entry, b: Entry) => number;
  text: string;
  /**
   * Conditions such as `{ region: "us-east" }` that every matching entry must meet, so that an index can find the
   * entries.
   */
  equal: readonly [path: string, value: unknown][];
  isSingleEquality: boolean;
}

/** The comparison operators for a field. A value of another type than the field's never matches. */
const compare: Readonly<Record<string, (value: unknown, wanted: unknown) => boolean>> = {
  "+eq": (value, wanted) => value === wanted,
  "+neq": (value, wanted) => value !== wanted,
  "+gt": (value, wanted) => areComparable(value, wanted) && (value as number) > (wanted as number),
  "+gte": (value, wanted) => areComparable(value, wanted) && (value as number) >= (wanted as number),
  "+lt": (value, wanted) => areComparable(value, wanted) && (value as number) < (wanted as number),
  "+lte": (value, wanted) => areComparable(value, wanted) && (value as number) <= (wanted as number),
  "+contains": (value, wanted) => typeof value === "string" && typeof wanted === "string" && value.includes(wanted),
};

const areComparable = (value: unknown, wanted: unknown): boolean =>
  typeof value === typeof wanted && (typeof value === "number" || typeof value === "string");

/** Parses the header `X-Filter` for entries with the given schema. Throws a 400 that lists all problems. */
export function readFilter(header: string, entry: z.core.$ZodType): Filter {
  const reasons = new Reasons();
  const addProblem = (reason: string): void => reasons.add(reason, "X-Filter");
  const json = parsed(header);
  if (isObject(json)) rejectUnsafeJson(json, 1, "X-Filter");
  const fields = filterableFields(entry);
  const matches = isObject(json) ? all(json, fields, addProblem) : () => true;
  const isSingleEquality = isObject(json) && Object.entries(json).every(([name, value]) => isEquality(name, value));
  const equal = isObject(json) ? equalities(json, fields) : [];
  const filter: Filter = { matches, text: header, equal, isSingleEquality: isSingleEquality && equal.length === 1 };
  if (!isObject(json)) addProblem("Must be a JSON object");
  else {
    const { "+order_by": by, "+order": direction = "asc" } = json;
    if (direction !== "asc" && direction !== "desc") addProblem('+order must be "asc" or "desc"');
    if (by !== undefined && (typeof by !== "string" || (by !== "id" && !fields.has(by))))
      addProblem(cannotFilter(String(by)));
    const sign = direction === "desc" ? -1 : 1;
    const path = fields.get(String(by))?.path ?? String(by);
    // Without a field to order by, the direction has no effect, as in the real service.
    if (by !== undefined) filter.order = (a, b) => sign * order(at(a, path), at(b, path));
  }
  reasons.throwIfAny();
  return filter;
}

const isEquality = (name: string, wanted: unknown): boolean => !name.startsWith("+") && !isObject(wanted);

const equalities = (json: Entry, fields: Filterable): [string, unknown][] =>
  Object.entries(json).flatMap(([name, wanted]): [string, unknown][] => {
    if (isEquality(name, wanted)) return [[fields.get(name)?.path ?? name, wanted]];
    if (name !== "+and" || !Array.isArray(wanted)) return [];
    return wanted.filter(isObject).flatMap((part) => equalities(part, fields));
  });

/** Converts a condition object to a predicate: all of its conditions must hold. */
function all(json: Entry, fields: Filterable, addProblem: (reason: string) => void): Test {
  const tests = Object.entries(json).flatMap(([name, wanted]): Test[] => {
    if (name === "+order_by" || name === "+order") return [];
    if (name === "+and" || name === "+or") {
      if (!Array.isArray(wanted) || !wanted.every(isObject)) {
        addProblem(`${name} must be a list of filters`);
        return [];
      }
      const parts = wanted.map((part) => all(part, fields, addProblem));
      return [
        name === "+and"
          ? (row) => parts.every((matches) => matches(row))
          : (row) => parts.some((matches) => matches(row)),
      ];
    }
    const path = fields.get(name)?.path;
    if (name.startsWith("+")) addProblem(`Unknown operator ${name}; expected one of ${operators}`);
    else if (path === undefined) addProblem(cannotFilter(name));
    else if (isObject(wanted)) return comparisons(name, path, wanted, addProblem);
    else return [(row) => holds(row, path, "+eq", wanted)];
    return [];
  });
  return (row) => tests.every((matches) => matches(row));
}

function comparisons(name: string, path: string, wanted: Entry, addProblem: (reason: string) => void): Test[] {
  return Object.entries(wanted).map(([operator, value]) => {
    if (!ownProperty(compare, operator))
      addProblem(`Unknown operator ${operator} on ${name}; expected one of ${operators}`);
    return (row) => holds(row, path, operator, value);
  });
}

const operators = [...Object.keys(compare).slice(1), "+and", "+or", "+order_by", "+order"].join(", ");

/**
 * Whether a row meets one condition. A list meets it if one of its elements does; with `+neq`, if no element equals the
 * value.
 */
function holds(row: Entry, path: string, operator: string, wanted: unknown): boolean {
  const value = at(row, path);
  const matches = ownProperty(compare, operator);
  if (!matches) return false;
  if (!Array.isArray(value)) return matches(value, wanted);
  return operator === "+neq" ? value.every((one) => matches(one, wanted)) : value.some((one) => matches(one, wanted));
}

function order(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a == null || b == null) return a == null ? -1 : 1;
  return (a as number) < (b as number) ? -1 : 1;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
