import { isObject } from "../../api";
import type { Bag } from "../engine/values";

/** The parts of a property path: keys of objects, indices of lists, and `*` for every entry. */
export type PropertyPath = readonly (string | number)[];

/**
 * Parses a property path of Pulumi, such as `rules.inbound[0]`, `["a.b"]` or `tags[*]`, as the engine does. Undefined if
 * the path is not valid; the engine skips such paths.
 */
export function parsedPath(text: string): PropertyPath | undefined {
  if (!text || text.startsWith(".") || text.endsWith(".")) return undefined;
  const parts: (string | number)[] = [];
  const part = /\.|\["((?:\\"|[^"])*)"\]|\[([*]|[+-]?\d+)\]|([^.[]+)/y;
  while (part.lastIndex < text.length) {
    const [dot, quoted, index, name] = part.exec(text) ?? [];
    if (dot === undefined) return undefined;
    if (quoted !== undefined) parts.push(quoted.replaceAll('\\"', '"'));
    else if (index !== undefined) parts.push(index === "*" ? index : Number(index));
    else if (name !== undefined) parts.push(name);
  }
  return parts;
}

/** Whether a path selects the value at another path, as a whole or as a part of a larger value. */
export const contains = (path: PropertyPath, other: PropertyPath): boolean =>
  path.length <= other.length && path.every((part, i) => part === "*" || part === other[i]);

/**
 * Returns a value in which the parts that the paths select have their old values, as the engine does for
 * `ignoreChanges`. Lists keep their length: an added or removed entry cannot be ignored.
 */
export function withOld(paths: readonly PropertyPath[], old: Bag, now: Bag): Bag {
  const copy = structuredClone(now);
  for (const path of paths) reset(path, old, copy);
  return copy;
}

function reset([key, ...rest]: PropertyPath, old: unknown, now: unknown): void {
  if (key === undefined || key === "__proto__") return;
  const isLast = rest.length === 0;
  if (key === "*") {
    const keys = [...new Set([...keysOf(old), ...keysOf(now)])];
    if (Array.isArray(old) === Array.isArray(now)) for (const each of keys) reset([each, ...rest], old, now);
    return;
  }
  if (typeof key === "number") {
    if (!Array.isArray(old) || !Array.isArray(now) || !(key in old) || !(key in now)) return;
    if (isLast) now[key] = old[key];
    else reset(rest, old[key], now[key]);
    return;
  }
  if (!isObject(now)) return;
  const before = isObject(old) && Object.hasOwn(old, key) ? old[key] : undefined;
  if (!isLast) reset(rest, before, Object.hasOwn(now, key) ? now[key] : undefined);
  else if (before === undefined) delete now[key];
  else now[key] = before;
}

const keysOf = (value: unknown): (string | number)[] =>
  Array.isArray(value) ? [...value.keys()] : isObject(value) ? Object.keys(value) : [];

/**
 * A path as Pulumi writes it, such as `rules.inbound[0].ports`. Keys that are not identifiers are quoted, as in
 * `labels["a.b"]`. Pulumi cannot read a key that ends with a backslash: the path is then that of the value with the key.
 */
export function propertyPath(keys: readonly (string | number)[]): string {
  const end = keys.findIndex((key) => String(key).endsWith("\\"));
  return (end < 0 ? keys : keys.slice(0, end)).reduce<string>(extended, "");
}

function extended(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  if (!/^[a-zA-Z_$][\w$]*$/.test(key)) return `${path}${quoted(key)}`;
  return path ? `${path}.${key}` : key;
}

/** The path of an input in a notation that Pulumi does not recognize as its name. Empty if Pulumi cannot read it. */
export const quotedPath = (name: string): string => (name.endsWith("\\") ? "" : quoted(name));

/** A key in the notation of Pulumi, in which a backslash escapes only a quotation mark. */
const quoted = (key: string): string => `["${key.replaceAll('"', '\\"')}"]`;
