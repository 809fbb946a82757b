import type { FoundObject } from "../drift/unmanaged";

/** The object that contains another one, if any. */
export type WholeOf = (part: FoundObject) => FoundObject | undefined;

/** Finds the object that contains another one: the one whose id is the longest beginning of the other's. */
export function wholesIn(objects: readonly FoundObject[]): WholeOf {
  const byPath = new Map(objects.map((object) => [keyOf(Object.entries(object.path)), object]));
  return ({ path }) => {
    const parts = Object.entries(path);
    for (let length = parts.length - 1; length > 0; length--) {
      const whole = byPath.get(keyOf(parts.slice(0, length)));
      if (whole) return whole;
    }
    return undefined;
  };
}

const keyOf = (path: [string, unknown][]): string => JSON.stringify(path);
