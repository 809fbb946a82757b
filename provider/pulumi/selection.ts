import { isDeepStrictEqual } from "node:util";
import { isObject, ownProperty } from "../../api";

/**
 * Selects parts of a value: `true` selects the whole value, and an object selects parts by key. The key `*` stands for
 * every entry of a list or map.
 */
export type Selection = true | { readonly [key: string]: Selection };

export const ANY_KEY = "*";

export function union(a: Selection | undefined, b: Selection | undefined): Selection {
  if (a === true || b === true) return true;
  if (!a || !b) return a ?? b ?? {};
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...keys].map((key) => [key, union(ownProperty(a, key), ownProperty(b, key))]));
}

/** Whether the selection contains the value at a path, or a part of it. */
export function selectedAt(selection: Selection, path: readonly (string | number)[]): boolean {
  const [key, ...rest] = path;
  if (selection === true || key === undefined) return selection === true || Object.keys(selection).length > 0;
  const parts = partsAt(selection, String(key));
  return parts !== undefined && selectedAt(parts, rest);
}

function partsAt(selection: Exclude<Selection, true>, key: string): Selection | undefined {
  const own = ownProperty(selection, key);
  return own || selection[ANY_KEY] ? union(own, selection[ANY_KEY]) : undefined;
}

/** Selects those of the selected parts of a value that another value lacks, or has with other values. */
export function differing(selection: Selection | undefined, value: unknown, other: unknown): Selection {
  if (!selection || isDeepStrictEqual(value, other)) return {};
  if (!isObject(value) || !isObject(other)) return selection;
  const entries = Object.entries(value).map(([key, part]) => {
    const parts = selection === true || partsAt(selection, key);
    return [key, differing(parts, part, ownProperty(other, key))];
  });
  return Object.fromEntries(entries);
}

/** Applies a function to the selected parts of a value. Null and undefined stay unchanged. */
export function mapSelected(
  value: unknown,
  selection: Selection | undefined,
  each: (selected: unknown) => unknown,
): unknown {
  if (value === null || value === undefined || !selection) return value;
  if (selection === true) return each(value);
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => mapSelected(item, selection[ANY_KEY], each));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapSelected(item, partsAt(selection, key), each)]),
  );
}
