import type { StackState, StateResource } from "../drift/state";
import { type FoundObject, heldBy } from "../drift/unmanaged";
import { idOf } from "../provider/engine/identity";
import type { KindName } from "../provider/resources";
import type { Declaration } from "./references";
import type { Declared } from "./source";

/** Whether stacks manage an object, as a resource of its own or as a part that another resource declares. */
export function holdingOf(stacks: readonly StackState[]): (object: FoundObject) => boolean {
  const held = heldBy(stacks);
  const firewalls = new Set(
    stacks
      .flatMap(resourcesIn)
      .filter(declaresDevices)
      .map(({ id }) => id),
  );
  return ({ kind, path }) =>
    held.has(`${kind.name} ${idOf(kind, path)}`) ||
    (kind.name === "FirewallDevice" && firewalls.has(String(path.firewallId)));
}

const declaresDevices = ({ kind, declared }: StateResource): boolean =>
  kind.name === "Firewall" && declared.some((path) => path.split(".")[0] === "devices");

const resourcesIn = (stack: StackState | undefined): StateResource[] => stack?.resources ?? [];

/** The names of the stack's resources by kind. */
export function namesIn(stack: StackState | undefined): Map<KindName, Set<string>> {
  const byKind = Map.groupBy(resourcesIn(stack), ({ kind }) => kind.name as KindName);
  return new Map([...byKind].map(([kind, those]) => [kind, new Set(those.map(({ name }) => name))]));
}

/** The stack's resources that the files declare. */
export const declarationsIn = (stack: StackState | undefined, declared: readonly Declared[]): Declaration[] =>
  resourcesIn(stack).flatMap(({ kind, name, id }) => {
    const there = declared.find((one) => one.kind === kind.name && one.name === name);
    return there ? [{ ...there, id }] : [];
  });
