import type { Kind } from "./definition";
import { type Host, perConnection } from "./host";
import { hasOwnId, pathKeys } from "./identity";
import type { Bag } from "./values";

/** A resource that this process has compared with its program. */
interface Planned {
  state: Bag;
  /** The declared inputs, of which some may be unknown in a preview. */
  want: Bag;
}

const planned = perConnection(() => new Map<string, Planned>());

export function recordPlanned(host: Host, kind: string, id: string, values: Planned): void {
  planned(host).set(`${kind} ${id}`, values);
}

/**
 * The resource that manages an object, so that checks of resources that refer to it know how it will change. Pulumi
 * compares a resource before those that depend on it. Undefined if no resource of this program manages the object.
 */
export const plannedOf = (host: Host, kind: string, id: unknown): Planned | undefined =>
  planned(host).get(`${kind} ${id}`);

interface Missing {
  kind: Kind;
  path: Bag;
}

const missing = perConnection(() => new Map<string, Missing>());

const keyOf = ({ kind, path }: Missing): string => JSON.stringify(hasOwnId(kind) ? path : [kind.name, path]);

/** Notes whether this process has not found an object when it compared its resource with the program. */
export function foundMissing(kind: Kind, host: Host, path: Bag, isMissing: boolean): void {
  const one = { kind, path };
  if (isMissing) missing(host).set(keyOf(one), one);
  else missing(host).delete(keyOf(one));
}

/**
 * The object and those that contain it, as far as this process has planned to create them again because it has not found
 * them. Pulumi deletes what they contain first.
 */
export function plannedMissing(kind: Kind, host: Host, path: Bag): Missing[] {
  const found = missing(host);
  return [...new Set([...pathKeys(path), keyOf({ kind, path })])].flatMap((key) => found.get(key) ?? []);
}
