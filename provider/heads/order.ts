/** The order in which people look for names: numbers in them count by their value. */
export const alphabet = new Intl.Collator("en", { numeric: true });
