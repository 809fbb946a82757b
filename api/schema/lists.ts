import { z } from "zod";
import { Paging } from "./common";
import { metaOf } from "./meta";
import type { Operation } from "./operation";
import { elementOf, fieldsOf } from "./schema-walk";

type Schema = z.core.$ZodType;

/**
 * Shared by all operations without query parameters, because zod compiles each schema on its first use, which is slow.
 */
const Empty = z.strictObject({});

/** The schema of an entry of the list that an operation returns. Undefined if the operation does not return a list. */
export function entryOf({ result }: Pick<Operation, "result">): Schema | undefined {
  if (!entries.has(result)) entries.set(result, entryIn(result));
  return entries.get(result);
}
const entries = new WeakMap<Schema, Schema | undefined>();

function entryIn(result: Schema): Schema | undefined {
  const { data, pages, results } = fieldsOf(result);
  return pages && results && data && elementOf(data);
}

/**
 * The schema of an operation's query parameters: its own if it has one, else those for paging if it returns a list,
 * else none.
 */
export const queryOf = (operation: Operation): Schema => operation.query ?? (entryOf(operation) ? Paging : Empty);

interface FilterableField {
  /** Path of the compared value: the field itself, or in a list of objects, the filterable field of each. */
  path: string;
  value: Schema;
}

/** The fields that a list can be filtered by, such as `label` and `entity.id`, each with its path and a value's schema. */
export function filterableFields(entry: Schema): ReadonlyMap<string, FilterableField> {
  const fields = filterable.get(entry) ?? new Map(filterableIn(entry, ""));
  filterable.set(entry, fields);
  return fields;
}
const filterable = new WeakMap<Schema, ReadonlyMap<string, FilterableField>>();

const filterableIn = (entry: Schema, prefix: string): [string, FilterableField][] =>
  Object.entries(fieldsOf(entry)).flatMap(([name, field]): [string, FilterableField][] => [
    ...(metaOf(field).filterable
      ? [[prefix + name, comparedIn(field, prefix + name)] as [string, FilterableField]]
      : []),
    ...filterableIn(field, `${prefix}${name}.`),
  ]);

function comparedIn(field: Schema, path: string): FilterableField {
  const element = elementOf(field);
  if (!element) return { path, value: field };
  const [inner] = filterableIn(element, `${path}.`);
  return inner ? inner[1] : { path, value: element };
}
