/** Chooses an element of the list by a random number. Undefined if the list is empty. */
export const one = <T>(list: readonly T[], pick = 0): T | undefined => list[pick % Math.max(1, list.length)];

/** Chooses an element of the list by a random number. The list must not be empty. */
export const of = <T extends readonly unknown[]>(list: T, pick = 0): T[number] => list[pick % list.length];
