import { closest, distance } from "fastest-levenshtein";

/**
 * End of an error message that suggests the most similar name, such as `; did you mean "us-east"?`. Empty if no name is
 * similar.
 */
export function didYouMean(name: string, names: readonly string[]): string {
  const near = similarName(name, names) ?? byEnd(name, names);
  return near === undefined ? "" : `; did you mean "${near}"?`;
}

/** End of an error message that suggests the most similar name or, if no name is similar, lists all names. */
export const suggestion = (name: string, names: readonly string[]): string =>
  didYouMean(name, names) || (names.length ? `; expected one of ${names.join(", ")}` : "; none are allowed");

/** Removes case, dashes and underscores, so that `root_pass` and `rootPass` count as the same name. */
const normalised = (name: string): string => name.replace(/[-_]/g, "").toLowerCase();

/** A version such as `1.29` is not a typo of another version. */
const VERSION = /^[\d.]+$/;

function similarName(name: string, names: readonly string[]): string | undefined {
  if (!names.length || VERSION.test(name)) return undefined;
  const [wanted, forms] = [normalised(name), names.map(normalised)];
  const near = closest(wanted, forms);
  return distance(wanted, near) <= typosIn(wanted) ? names[forms.indexOf(near)] : undefined;
}

/** Maximum number of differing letters that count as a typo. Short names allow none: `ip` is not a typo of `id`. */
const typosIn = ({ length }: string): number => (length < 3 ? 0 : length < 5 ? 1 : length < 9 ? 2 : 3);

/** The name with the most similar last path segment: `debian11` or `other/debian11` matches `compute/debian11`. */
function byEnd(name: string, names: readonly string[]): string | undefined {
  const endOf = (name: string): string => name.slice(name.lastIndexOf("/") + 1);
  const prefixed = names.filter((name) => name.includes("/"));
  const end = similarName(endOf(name), prefixed.map(endOf));
  return prefixed.find((name) => endOf(name) === end);
}
