/**
 * In a preview, Pulumi throws an error when a policy reads a value that is known only after the update, and reports that
 * the policy could not run. The package does not export the error's class.
 */
const isUnknown = (error: unknown): boolean => error instanceof Error && error.constructor.name === "UnknownValueError";

/** A value, or Pulumi's error if the value is unknown in this preview. */
export type Read<T> = { value: T } | { unknown: unknown };

/** Reads a value that a preview may not know. */
export function read<T>(get: () => T): Read<T> {
  try {
    return { value: get() };
  } catch (error) {
    if (!isUnknown(error)) throw error;
    return { unknown: error };
  }
}

/** Throws Pulumi's error if a value is unknown, or a part of it. */
export const requireKnown = (value: unknown): void => void JSON.stringify(value);

/** Throws Pulumi's error if the value is unknown. */
export function required<T>(result: Read<T>): T {
  if ("unknown" in result) throw result.unknown;
  return result.value;
}

/**
 * Finds the entries of a list that meet a condition. If none of the known ones does but others are unknown, it throws
 * Pulumi's error: an unknown entry decides nothing if a known one is enough.
 */
export function knownIn(list: readonly unknown[], meets: (entry: string) => boolean): string[] {
  const entries = Array.from({ length: list.length }, (_, index) => read(() => String(list[index])));
  const found = entries.flatMap((entry) => ("value" in entry && meets(entry.value) ? [entry.value] : []));
  if (!found.length) entries.forEach(required);
  return found;
}
