import { closest, distance } from "fastest-levenshtein";

/** The name that was probably meant, as the end of a sentence; empty if none is similar. */
export function didYouMean(given: string, names: readonly string[]): string {
  const near = alike(given, names) ?? byEnd(given, names);
  return near === undefined ? "" : `; did you mean "${near}"?`;
}

/** The name that was probably meant, or else all names, as the end of a sentence. */
export const suggestion = (given: string, names: readonly string[]): string =>
  didYouMean(given, names) || (names.length ? `; known are ${names.join(", ")}` : "; it takes none");

/** Case, dashes and underscores are not typos: `root_pass` is `rootPass`. */
const plain = (name: string): string => name.replace(/[-_]/g, "").toLowerCase();

function alike(given: string, names: readonly string[]): string | undefined {
  if (!names.length) return undefined;
  const [wanted, forms] = [plain(given), names.map(plain)];
  const near = closest(wanted, forms);
  return distance(wanted, near) <= typosIn(wanted) ? names[forms.indexOf(near)] : undefined;
}

/** In a short name, one different letter makes another name: `ip` is not a typo of `id`. */
const typosIn = ({ length }: string): number => (length < 3 ? 0 : length < 5 ? 1 : length < 9 ? 2 : 3);

/** The name with the same ending: `debian11`, or the same under another vendor, means `compute/debian11`. */
function byEnd(given: string, names: readonly string[]): string | undefined {
  const endOf = (name: string): string => name.slice(name.lastIndexOf("/") + 1);
  const prefixed = names.filter((name) => name.includes("/"));
  const end = alike(endOf(given), prefixed.map(endOf));
  return prefixed.find((name) => endOf(name) === end);
}
