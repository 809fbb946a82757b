import { closest, distance } from "fastest-levenshtein";

/** Which of the names was probably meant, as the end of a sentence; nothing when none is like the given one. */
export function guess(given: string, names: readonly string[]): string {
  const near = names.length ? closest(given, names) : "";
  const typos = Math.min(3, Math.max(1, Math.floor(given.length / 3)));
  return near && distance(given, near) <= typos ? `; did you mean "${near}"?` : "";
}
