import { closest, distance } from "fastest-levenshtein";

/** Which of the names was probably meant, as the end of a sentence; nothing when none is like the given one. */
export function guess(given: string, names: readonly string[]): string {
  const near = alike(given, names) ?? byEnd(given, names);
  return near === undefined ? "" : `; did you mean "${near}"?`;
}

function alike(given: string, names: readonly string[]): string | undefined {
  const near = names.length ? closest(given, names) : "";
  const typos = Math.min(3, Math.max(1, Math.floor(given.length / 3)));
  return near && distance(given, near) <= typos ? near : undefined;
}

/** The name that ends like the given one: `debian11`, and the same under another vendor's name, are `compute/debian11`. */
function byEnd(given: string, names: readonly string[]): string | undefined {
  const endOf = (name: string): string => name.slice(name.lastIndexOf("/") + 1);
  const prefixed = names.filter((name) => name.includes("/"));
  const end = alike(endOf(given), prefixed.map(endOf));
  return prefixed.find((name) => endOf(name) === end);
}
