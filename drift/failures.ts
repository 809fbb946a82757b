import { exitCodeOfError } from "../account/errors";
import { type StateResource, stackIn } from "../stack/state";
import type { Failure } from "./model";
import { comparedOf, type Scope } from "./scope";

/** Resources by stack, as `project/stack`. */
export const byStack = (resources: readonly StateResource[]): Map<string, StateResource[]> =>
  Map.groupBy(resources, ({ address }) => stackIn(address));

/** A stack that could not be checked because of an error. */
export const failureOf = (stack: string, error: Error, resources = 0): Failure => ({
  stack,
  reason: error.message,
  resources,
  exitCode: exitCodeOfError(error),
});

/**
 * All stacks of resources that could not be checked, each with its error. If all resources are of ignored kinds, the
 * stacks are those whose account could not be searched for unmanaged objects.
 */
export function failuresOf(
  resources: readonly StateResource[],
  errorOf: (stack: string) => Error,
  scope: Scope,
): Failure[] {
  const compared = byStack(comparedOf(resources, scope));
  const stacks = compared.size ? compared : byStack(resources);
  return [...stacks.keys()].map((stack) => failureOf(stack, errorOf(stack), compared.get(stack)?.length));
}
