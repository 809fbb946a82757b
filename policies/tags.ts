import { listIn } from "./resource";
import { knownIn } from "./unknown";

/** The first of a resource's tags that is among the given ones. */
export const tagAmong = (tags: unknown, wanted: readonly string[]): string | undefined =>
  wanted.length ? knownIn(listIn(tags), (tag) => wanted.includes(tag))[0] : undefined;
