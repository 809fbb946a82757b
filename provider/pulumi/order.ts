let collator: Intl.Collator | undefined;

/** Compares names with numbers by their value, so that `web-2` precedes `web-10`. */
export const alphabet = {
  compare(a: string, b: string): number {
    collator ??= new Intl.Collator("en", { numeric: true });
    return collator.compare(a, b);
  },
};
