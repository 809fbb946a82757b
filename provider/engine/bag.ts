import type { Bag } from "./resource";

/** The given keys of a bag, where they have a value. */
export const pick = (bag: Bag, keys: readonly string[]): Bag =>
  Object.fromEntries(keys.flatMap((key) => (bag[key] === undefined ? [] : [[key, bag[key]]])));
