import type { Kind } from "./definition";
import { type Host, perConnection } from "./host";
import { hasOwnId, pathKeys } from "./identity";
import type { Bag } from "./values";

/**
 * For each object that this process has read, by its path parameters: whether the object is missing. If a parent is
 * missing, no warning about its nested objects is shown.
 */
const missingByPath = perConnection(() => new Map<string, Promise<boolean>>());

export function recordRead(kind: Kind, host: Host, path: Bag, found: Promise<unknown>): void {
  const isMissing = found.then(
    (observed) => observed === undefined,
    () => false,
  );
  if (hasOwnId(kind)) missingByPath(host).set(JSON.stringify(path), isMissing);
}

/** Whether this process has read the object for a resource of the stack, such as a `LkeNodePool`, that manages it. */
export const isRead = (host: Host, path: Bag): boolean => missingByPath(host).has(JSON.stringify(path));

/**
 * Whether a parent of the missing object is also in the stack and missing. Then only the parent is reported. A parent
 * whose read takes too long counts as existing.
 */
export function isMissingWithParent(kind: Kind, host: Host, path: Bag): Promise<boolean> {
  const keys = pathKeys(path);
  const ancestors = hasOwnId(kind) ? keys.slice(0, -1) : keys;
  const missing = Promise.all(ancestors.map((key) => missingByPath(host).get(key) ?? false));
  return host.withDeadline(missing, "the refresh of its parents").then(
    (all) => all.includes(true),
    () => false,
  );
}
