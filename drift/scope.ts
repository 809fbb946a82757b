import { isKindName, noKindMessage } from "../account/kinds";
import type { KindName } from "../provider/resources";
import type { StackState, StateResource } from "../stack/state";
import { KindError } from "./errors";

/** The extent of a check: the kinds that it leaves out, and whether it lists unmanaged objects. */
export interface Scope {
  /**
   * Names of kinds, such as `Volume`, whose objects and resources are neither read nor reported. An object that several
   * kinds could manage counts as one of the first of them. Defaults to none.
   */
  ignoreKinds?: readonly KindName[] | undefined;
  /**
   * Whether to list objects that no stack manages, too. All lists of the account are read for that. Defaults to false.
   */
  unmanaged?: boolean | undefined;
}

/** The kinds with the given names. Throws an error for the first name that no kind has. */
export function kindsNamed(names: readonly string[]): KindName[] {
  return names.map((name) => {
    if (!isKindName(name)) throw new KindError(noKindMessage(name));
    return name;
  });
}

export const isIgnored = (kind: string, { ignoreKinds = [] }: Scope): boolean =>
  ignoreKinds.some((name) => name === kind);

/** The resources that a check compares. */
export const comparedOf = (resources: readonly StateResource[], scope: Scope): StateResource[] =>
  resources.filter(({ kind }) => !isIgnored(kind.name, scope));

/** Whether a check reads anything in the account of the resources. */
export const isRead = (resources: readonly StateResource[], scope: Scope): boolean =>
  Boolean(scope.unmanaged) || comparedOf(resources, scope).length > 0;

/** The part of a stack that a check compares and reports. */
export const comparedIn = (stack: StackState, scope: Scope): StackState => ({
  ...stack,
  resources: comparedOf(stack.resources, scope),
  unusable: stack.unusable.filter(({ kind }) => !isIgnored(kind, scope)),
  unfinished: stack.unfinished.filter(({ kind }) => !isIgnored(kind, scope)),
  holders: stack.holders.filter(({ kind }) => !isIgnored(kind, scope)),
});

/** The resources of a stack that a check leaves out. */
export const leftOutIn = (
  { resources, unusable, unfinished }: StackState,
  scope: Scope,
): { address: string; urn?: string }[] => [
  ...resources.filter(({ kind }) => isIgnored(kind.name, scope)),
  ...[...unusable, ...unfinished].filter(({ kind }) => isIgnored(kind, scope)),
];
