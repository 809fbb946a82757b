import type { FoundObject } from "./inventory";

/** Returns the object that contains the given one, such as the domain of a record, or undefined. */
export type ContainerOf = (part: FoundObject) => FoundObject | undefined;

/**
 * Returns a function that finds the containing object, such as domain `5` for record `5/7`: the object with the longest
 * id with which the given object's id begins.
 */
export function containersIn(objects: readonly FoundObject[]): ContainerOf {
  const byPath = new Map(objects.map((object) => [keyOf(Object.entries(object.path)), object]));
  return ({ path }) => {
    const parts = Object.entries(path);
    for (let length = parts.length - 1; length > 0; length--) {
      const container = byPath.get(keyOf(parts.slice(0, length)));
      if (container) return container;
    }
    return undefined;
  };
}

const keyOf = (path: [string, unknown][]): string => JSON.stringify(path);
