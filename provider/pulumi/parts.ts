import { ownProperty } from "../../api";

/**
 * Selects parts of a value: `true` selects the whole value, and an object selects parts by key. The key `*` stands for
 * every entry of a list or map.
 */
export type Parts = true | { readonly [key: string]: Parts };

export const EVERY = "*";

/** A selection that contains the parts of both selections. */
export function union(a: Parts | undefined, b: Parts | undefined): Parts {
  if (a === true || b === true) return true;
  if (!a || !b) return a ?? b ?? {};
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...keys].map((key) => [key, union(ownProperty(a, key), ownProperty(b, key))]));
}

/** Applies a function to the selected parts of a value. Null and undefined stay unchanged. */
export function mapAt(value: unknown, parts: Parts | undefined, each: (part: unknown) => unknown): unknown {
  if (value === null || value === undefined || !parts) return value;
  if (parts === true) return each(value);
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => mapAt(item, parts[EVERY], each));
  const at = (key: string) => {
    const own = ownProperty(parts, key);
    return own || parts[EVERY] ? union(own, parts[EVERY]) : undefined;
  };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapAt(item, at(key), each)]));
}
