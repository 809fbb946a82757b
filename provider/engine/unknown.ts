/** What the engine of Pulumi sends in a preview for a value that is not known yet, whatever its type. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export const isUnknown = (value: unknown): boolean => value === UNKNOWN;

/** Whether the value is unknown or holds something that is. */
export function holdsUnknown(value: unknown): boolean {
  if (value === null || typeof value !== "object") return isUnknown(value);
  return Object.values(value).some(holdsUnknown);
}

/** Whether the way to a place leads through an unknown, or ends at something that holds one. */
export function unknownAt(value: unknown, path: readonly (string | number)[]): boolean {
  if (isUnknown(value)) return true;
  const [head, ...rest] = path;
  if (head === undefined) return holdsUnknown(value);
  return unknownAt((value as Record<string | number, unknown> | null | undefined)?.[head], rest);
}
