/** The numbers of a version such as `v3.216.0-dev`. Undefined if the text is not a version. */
function numbersIn(version: string): number[] | undefined {
  const [, ...parts] = /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(version.trim()) ?? [];
  return parts.length ? parts.map((part) => Number(part ?? 0)) : undefined;
}

/**
 * Whether a version is in a range of this package's package.json: `>=22.19`, or `^3.216.0`, which excludes the next
 * major version. Undefined if the text is not a version, such as that of an own build.
 */
export function isInRange(version: string, range: string): boolean | undefined {
  const [found, oldest] = [numbersIn(version), numbersIn(range.replace(/^(>=|\^)/, ""))];
  if (!found || !oldest) return undefined;
  const first = oldest.findIndex((part, i) => found[i] !== part);
  const isNewEnough = first < 0 || (found[first] ?? 0) > (oldest[first] ?? 0);
  return isNewEnough && (!range.startsWith("^") || found[0] === oldest[0]);
}

/** A range in words, such as `22.19 or later`. */
export const rangeText = (range: string): string =>
  `${range.replace(/^(>=|\^)/, "")} or later${range.startsWith("^") ? `, but below ${majorIn(range) + 1}` : ""}`;

export const majorIn = (version: string): number => Number(/\d+/.exec(version)?.[0]);
