/** A random element of the list; undefined if the list is empty. */
export const one = <T>(list: readonly T[], pick = 0): T | undefined => list[pick % Math.max(1, list.length)];

/** One of the given values. */
export const of = <T extends readonly unknown[]>(list: T, pick = 0): T[number] => list[pick % list.length];
