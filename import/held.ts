import type { StackState, StateResource } from "../drift/state";
import { type FoundObject, heldBy, heldKey, isInline } from "../drift/unmanaged";
import type { KindName } from "../provider/resources";
import type { Declaration } from "./references";
import { type Declared, declaredKey } from "./source";

/** Whether a stack manages an object, as a resource of its own or as a part that another resource declares. */
export function holdingOf(stacks: readonly StackState[]): (object: FoundObject) => boolean {
  const held = heldBy(stacks);
  const firewalls = new Set(
    stacks
      .flatMap(resourcesIn)
      .filter((resource) => resource.kind.name === "Firewall" && isInline("FirewallDevice", resource))
      .map(({ id }) => id),
  );
  return ({ kind, path }) =>
    held.has(heldKey(kind, path)) || (kind.name === "FirewallDevice" && firewalls.has(String(path.firewallId)));
}

const resourcesIn = (stack: StackState | undefined): StateResource[] => stack?.resources ?? [];

/** The names of a stack's resources by kind. */
export function namesIn(stack: StackState | undefined): Map<KindName, Set<string>> {
  const byKind = Map.groupBy(resourcesIn(stack), ({ kind }) => kind.name as KindName);
  return new Map([...byKind].map(([kind, those]) => [kind, new Set(those.map(({ name }) => name))]));
}

/** The resources of a stack that the files declare. */
export const declarationsIn = (stack: StackState | undefined, declared: ReadonlyMap<string, Declared>): Declaration[] =>
  resourcesIn(stack).flatMap(({ kind, name, id }) => {
    const there = declared.get(declaredKey(kind.name, name));
    return there ? [{ ...there, id }] : [];
  });
