/** Adds a capital letter at the beginning of a text and a period at the end. */
export function sentence(text: string): string {
  const capitalized = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capitalized) ? capitalized : `${capitalized}.`;
}

/** Wraps text into lines of at most `width` characters, between words. */
export function wrapped(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) as string;
    if (last && last.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines;
}

/** A number with its noun, in the singular or plural: `1 object`, `2 objects`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Joins words to a text: `a, b or c`. */
export const joined = (words: readonly string[], conjunction: "and" | "or"): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;

/** The first texts of a list, and the number of the others: `a, b, c and 5 more`. */
export const firstOf = (texts: readonly string[], limit: number): string =>
  `${texts.slice(0, limit).join(", ")}${texts.length > limit ? ` and ${texts.length - limit} more` : ""}`;

/** A text as one word of a shell command, in single quotes if it needs them. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Converts a pattern in which `*` matches any text to a regular expression that matches the whole of a text. */
export const wildcard = (pattern: string, flags = "s"): RegExp =>
  new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`, flags);
