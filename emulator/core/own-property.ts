/** The value under a key that somebody else chose: `constructor` is no entry of any table. */
export const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
