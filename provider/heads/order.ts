let collator: Intl.Collator | undefined;

/** Compares names in the order that people expect: numbers in names are compared by value. */
export const alphabet = {
  compare(a: string, b: string): number {
    collator ??= new Intl.Collator("en", { numeric: true });
    return collator.compare(a, b);
  },
};
