import type { Declares, Kind } from "./definition";
import { type Host, perConnection } from "./host";
import { canonicalPath, displayNameOf, hasOwnId, idOf, objectsKey, pathKeys } from "./identity";
import { type Bag, containsUnknown } from "./values";

/** A resource of the program: one that this process has compared with it, or created. */
interface Planned {
  kind: Kind;
  /** In its canonical form. */
  path: Bag;
  state: Bag;
  /** The declared inputs, of which some may be unknown in a preview. */
  want: Bag;
  /** Whether the update replaces the object. */
  isReplaced?: boolean;
  /** Whether the update changes the object. */
  isChanged?: boolean;
  /**
   * Whether this process has created, updated or imported the object. Pulumi deletes no such object in the same command, so a
   * deletion of this id is that of another resource that has managed the object before.
   */
  isApplied?: boolean;
  /** The URN of the resource, if it is known. */
  urn?: string | undefined;
}

const planned = perConnection(() => new Map<string, Planned>());

export function recordPlanned(host: Host, resource: Planned): void {
  const { kind } = resource;
  const path = canonicalPath(kind, resource.path);
  const key = `${objectsKey(kind)} ${idOf(kind, path)}`;
  const isApplied = planned(host).get(key)?.isApplied === true;
  planned(host).set(key, { ...resource, path, urn: host.urn, ...(isApplied && { isApplied }) });
}

/**
 * The resource that manages an object, so that checks of resources that refer to it know how it will change. Pulumi
 * compares a resource before those that depend on it. `objects` is what {@link objectsKey} returns, such as `volumes`,
 * and the id is in its canonical form. Undefined if no resource of this program manages the object.
 */
export const plannedOf = (host: Host, objects: string, id: unknown): Planned | undefined =>
  planned(host).get(`${objects} ${id}`);

/**
 * The resource of the program that manages the object, if it is another one than that of this operation, such as one with
 * another name that an earlier command has created or imported. A resource that is being replaced has another object by
 * then, also if Pulumi has renamed it by an alias.
 */
export function otherManager(kind: Kind, host: Host, path: Bag): Planned | undefined {
  const found = plannedOf(host, objectsKey(kind), idOf(kind, canonicalPath(kind, path)));
  if (!found || found.isApplied) return found;
  if (found.isReplaced || found.urn === undefined || host.urn === undefined || found.urn === host.urn) return undefined;
  const hasNewObject = [...planned(host).values()].some((other) => other.urn === found.urn && other.isApplied);
  return hasNewObject ? undefined : found;
}

/**
 * The name of a resource of the program that declares an object as its part: one with other inputs than before, or a new
 * one. Pulumi deletes what was removed from the program last. If the same update has moved the declaration of a part from
 * a resource of its own to this one, that deletion must not undo it. An update declares no unknown values: Pulumi only asks
 * whether the resource would be replaced with another one.
 */
export async function declarerOf(host: Host, declares: Declares): Promise<string | undefined> {
  for (const { kind, path, want, isReplaced } of planned(host).values()) {
    const resource = { kind: kind.name, area: kind.identity.area, path, want };
    if (!isReplaced && !containsUnknown(want) && (await declares(resource))) return displayNameOf({ kind, path, want });
  }
  return undefined;
}

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

/**
 * Forgets what an earlier command in this process has planned: a native plugin that a debugger has started serves several
 * commands.
 */
export function startCommand(host: Host): void {
  planned(host).clear();
  missing(host).clear();
}
