import { isDeepStrictEqual } from "node:util";
import type { Bag } from "../provider/engine/values";

/** Removes properties that a program sets to undefined, as Pulumi does. */
export const withoutUndefined = (value: object): Bag => JSON.parse(JSON.stringify(value)) as Bag;

export const keysThatDiffer = (olds: Bag, news: Bag): string[] =>
  [...new Set([...Object.keys(olds), ...Object.keys(news)])].filter((key) => !isDeepStrictEqual(olds[key], news[key]));

/**
 * Converts a value to a `google.protobuf.Struct` and back, as on the way to a plugin. Throws for values that JSON would
 * drop.
 */
export function struct<T>(value: T, at = "the value"): T {
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value;
  if (Array.isArray(value)) return value.map((item, i) => struct(item, `${at}[${i}]`)) as T;
  if (typeof value !== "object") throw new Error(`Unexpected struct type: ${at} is ${typeof value}`);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, struct(item, `${at}.${key}`)])) as T;
}
