import { createHash } from "node:crypto";
import { escapePathComponent } from "fast-json-patch";
import type { z } from "zod";
import { isObject, metaOf, ownProperty, partsOf } from "../../api";
import { canonical, isEqual, matchesDeclared } from "./comparison";
import type { Uncertain } from "./errors";
import { type Bag, pick } from "./values";

/** The parts of inputs that a failed update may have changed, as JSON pointers. */
export interface Doubt {
  includes(pointer: string): boolean;
  includesPartOf(pointer: string): boolean;
}

export const doubtOf = ({ uncertain = [] }: { uncertain?: Uncertain | undefined }): Doubt => ({
  includes: (pointer) => uncertain === "all" || uncertain.includes(pointer),
  includesPartOf: (pointer) => uncertain === "all" || uncertain.some((one) => `${one}/`.startsWith(`${pointer}/`)),
});

const at = (pointer: string, key: string | number): string => `${pointer}/${escapePathComponent(String(key))}`;

/** Contains a digest, because the entry of a list can be a secret value. */
const atEntry = (pointer: string, key: string): string =>
  at(pointer, createHash("sha256").update(key).digest("hex").slice(0, 16));

interface Versions {
  /** The value in state. */
  old: unknown;
  declared: unknown;
  /** The result where the program has not changed the value in state. */
  unchanged: unknown;
  /** The result where it has. */
  changed: unknown;
}

/**
 * Merges objects and maps field by field, and lists without an order entry by entry. All other lists are changed as a
 * whole.
 */
export function merged(schema: z.core.$ZodType, versions: Versions, doubt: Doubt, pointer: string): unknown {
  const { old, declared, unchanged, changed } = versions;
  if (old === undefined || doubt.includes(pointer)) return changed;
  const lists = [old, declared, unchanged, changed];
  if (isUnordered(schema) && lists.every(Array.isArray)) return mergedEntries(schema, lists, doubt, pointer);
  if (!isObject(old) || !isObject(declared) || !isObject(unchanged) || !isObject(changed))
    return matchesDeclared(schema, old, declared) && !doubt.includesPartOf(pointer) ? unchanged : changed;
  const parts = partsOf(schema, declared).map(({ key, schema, value }) => {
    const of = (bag: Bag): unknown => ownProperty(bag, String(key));
    const values = { old: of(old), declared: value, unchanged: of(unchanged), changed: of(changed) };
    return [key, merged(schema, values, doubt, at(pointer, key))];
  });
  const all = { ...changed, ...Object.fromEntries(parts) };
  return pick(all, Object.keys(all));
}

/** Merges lists without an order: the entries that the program adds, removes or changes are those of the last list. */
function mergedEntries(schema: z.core.$ZodType, lists: unknown[][], doubt: Doubt, pointer: string): unknown[] {
  const [old, declared, unchanged, changed] = lists.map((list) => entriesOf(schema, list)) as [
    Entries,
    Entries,
    Entries,
    Entries,
  ];
  return [...new Set([...changed.keys(), ...unchanged.keys()])].flatMap((key) => {
    const isUnchanged = !doubt.includes(atEntry(pointer, key)) && isEqual(old.get(key)?.form, declared.get(key)?.form);
    const entry = (isUnchanged ? unchanged : changed).get(key);
    return entry ? [entry.value] : [];
  });
}

/** JSON pointers to the parts that differ, as {@link merged} divides values into parts. */
export function changedParts(schema: z.core.$ZodType, old: unknown, declared: unknown, pointer: string): string[] {
  if (isUnordered(schema) && Array.isArray(old) && Array.isArray(declared)) {
    const [before, after] = [entriesOf(schema, old), entriesOf(schema, declared)];
    const isChanged = (key: string) => !isEqual(before.get(key)?.form, after.get(key)?.form);
    return [...new Set([...before.keys(), ...after.keys()])].filter(isChanged).map((key) => atEntry(pointer, key));
  }
  if (!isObject(old) || !isObject(declared)) return matchesDeclared(schema, old, declared) ? [] : [pointer];
  const removed = Object.keys(old).filter((key) => !Object.hasOwn(declared, key));
  return [
    ...partsOf(schema, declared).flatMap(({ key, schema, value }) =>
      changedParts(schema, ownProperty(old, String(key)), value, at(pointer, key)),
    ),
    ...removed.map((key) => at(pointer, key)),
  ];
}

/** Whether a list has no order, which is what its canonical form expresses. */
const isUnordered = (schema: z.core.$ZodType): boolean => metaOf(schema).canonical !== undefined;

/** The entries of a list without an order, each with its canonical form, by what identifies them. */
type Entries = Map<string, { value: unknown; form: unknown }>;

function entriesOf(schema: z.core.$ZodType, list: unknown[]): Entries {
  const { entryKey } = metaOf(schema);
  const keyOf = (form: unknown): string => JSON.stringify(entryKey && isObject(form) ? form[entryKey] : form);
  const entries = list.map((value) => ({ value, form: [canonical(schema, [value])].flat()[0] }));
  return new Map(entries.map((entry) => [keyOf(entry.form), entry]));
}
