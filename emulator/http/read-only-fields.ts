import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { fieldsOf, layersOf, metaOf, type Operation, type ReadOnly } from "../../api";
import type { Reasons } from "../core/error-response";

type Row = Record<string, unknown>;

/**
 * Removes read-only fields from an update, because clients may send them back unchanged. Changed values are rejected,
 * except for volatile fields such as counters, which may have changed since the client read them.
 */
export function withoutReadOnly(sent: Row, readOnly: readonly ReadOnly[], shown: unknown, reasons: Reasons): Row {
  const rest = structuredClone(sent);
  for (const { path, schema, empty } of readOnly) {
    const name = path.at(-1) as string;
    const holder = path.slice(0, -1).reduce<unknown>(inside, rest);
    if (!isRow(holder) || !Object.hasOwn(holder, name)) continue;
    const value = holder[name];
    const now = path.reduce<unknown>(inside, shown) ?? null;
    if (empty && (value !== "" || now !== "")) continue;
    delete holder[name];
    if (value === null && !layersOf(schema).nullable) continue;
    if (metaOf(schema).volatile && z.safeParse(schema, value).success) continue;
    if (!isDeepStrictEqual(unordered(value), unordered(now)))
      reasons.add(`Is read-only: omit it or send it unchanged${quoted(now)}`, path.join("."));
  }
  return rest;
}

/** Removes the fields of a created object that a request cannot set, such as `id` and `status`. */
export function withoutResultFields({ body: schema, result }: Operation, sent: unknown): unknown {
  if (!isRow(sent) || !schema) return sent;
  const [accepted, returned] = [fieldsOf(schema), fieldsOf(result)];
  return Object.fromEntries(
    Object.entries(sent).filter(([name]) => Object.hasOwn(accepted, name) || !Object.hasOwn(returned, name)),
  );
}

/** The current value, if it is short enough for a message. */
function quoted(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? "" : ` (${text})`;
}

export const hasReadOnly = (sent: unknown, readOnly: readonly ReadOnly[]): sent is Row =>
  isRow(sent) &&
  readOnly.some(({ path, empty }) => {
    const value = path.reduce<unknown>(inside, sent);
    return empty ? value === "" : value !== undefined;
  });

const isRow = (value: unknown): value is Row =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

const inside = (value: unknown, name: string): unknown =>
  isRow(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** Normalizes a value for comparison: the order of list entries does not count. */
function unordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => JSON.stringify(unordered(entry))).sort();
  if (!isRow(value)) return value;
  const entries = Object.entries(value).map(([name, part]): [string, unknown] => [name, unordered(part)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
