import { listIn } from "./resource";
import { knownIn } from "./unknown";

/** Key for comparing tags, because the service ignores their case. */
const sameTag = (tag: string): string => tag.toLowerCase();

/** The first of a resource's tags that is among the given ones. */
export function tagAmong(tags: unknown, wanted: readonly string[]): string | undefined {
  const keys = wanted.map(sameTag);
  return keys.length ? knownIn(listIn(tags), (tag) => keys.includes(sameTag(tag)))[0] : undefined;
}
