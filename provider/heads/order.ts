let collator: Intl.Collator | undefined;

/** The order in which people look for names: numbers in them count by their value. */
export const alphabet = {
  compare(a: string, b: string): number {
    collator ??= new Intl.Collator("en", { numeric: true });
    return collator.compare(a, b);
  },
};
