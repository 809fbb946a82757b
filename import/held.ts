import type { FoundObject } from "../account/inventory";
import type { Host } from "../provider/engine/host";
import { hasParent } from "../provider/pulumi/urn";
import type { KindName } from "../provider/resources";
import { accountFilter, requireSameAccounts } from "../stack/account";
import { StateError } from "../stack/errors";
import { holdersOf, inlineDeclarationsOf } from "../stack/holders";
import {
  type ExportedState,
  ofDefaultProviders,
  type StackState,
  type StateResource,
  stackStateOf,
} from "../stack/state";
import type { Declaration } from "./references";
import { type Declared, declaredKey } from "./source";

/**
 * The state of a stack. Throws if the state contains a resource that this version cannot read, because the object of
 * that resource would be imported a second time.
 */
export function readableState(exported: ExportedState): StackState {
  const stack = stackStateOf(exported);
  const problems = stack.unusable.map(({ address, reason }) => `${address}: ${reason}`);
  if (problems.length) throw new StateError(`${exported.name}: ${problems.join("\n  ")}`);
  return stack;
}

/**
 * The state of the stack to which objects are added, without the resources of providers of the program that have another
 * account. Throws an error if the stack itself belongs to another account, or if none of its resources is in this one.
 */
export async function ofOwnAccount(stack: StackState, host: Host): Promise<StackState> {
  await requireSameAccounts(host, ofDefaultProviders(stack.resources));
  const [own = stack] = await ofSameAccount([stack], host);
  if (!own.resources.length) await requireSameAccounts(host, stack.resources);
  return own;
}

/**
 * The states of stacks without the resources that belong to another account, where other objects can have the same ids.
 * The names of these resources stay.
 */
export async function ofSameAccount(stacks: readonly StackState[], host: Host): Promise<StackState[]> {
  const isHere = await accountFilter(
    host,
    stacks.flatMap(({ holders }) => holders),
  );
  return stacks.map((stack) => ({
    ...stack,
    resources: stack.resources.filter(isHere),
    holders: stack.holders.filter(isHere),
  }));
}

/**
 * Returns a function that checks whether a stack holds an object: as a resource, inline in another resource, such as a
 * device in the `devices` of a firewall, or as the object of a replaced resource, which Pulumi deletes in the next
 * update.
 */
export function holdingOf(stacks: readonly StackState[]): (object: FoundObject) => boolean {
  const holderOf = holdersOf(stacks.flatMap(({ holders }) => holders));
  const declarationsOf = inlineDeclarationsOf(stacks.flatMap(resourcesIn));
  return ({ kind, path }) => holderOf(kind, path) !== undefined || declarationsOf(kind, path).length > 0;
}

const resourcesIn = (stack: StackState | undefined): StateResource[] => stack?.resources ?? [];

export function namesIn(stack: StackState | undefined): Map<KindName, Set<string>> {
  const byKind = Map.groupBy(stack?.taken ?? [], ({ kind }) => kind as KindName);
  return new Map([...byKind].map(([kind, group]) => [kind, new Set(group.map(({ name }) => name))]));
}

/**
 * The stack's resources that are also declared in the project's files, so that new declarations can refer to them. The
 * children of a component are not among them: a declaration with the same class and name is another resource.
 */
export const declarationsIn = (stack: StackState | undefined, declared: ReadonlyMap<string, Declared>): Declaration[] =>
  resourcesIn(stack).flatMap(({ kind, name, id, urn }) => {
    const declaration = hasParent(urn) ? undefined : declared.get(declaredKey(kind.name, name));
    return declaration ? [{ ...declaration, id }] : [];
  });
