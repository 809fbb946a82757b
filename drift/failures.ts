import { exitCodeOfError } from "../account/errors";
import { type StateResource, stackIn } from "../stack/state";
import type { Failure } from "./model";
import type { Scope } from "./scope";

/** Resources by the names of their stacks. */
export const byStack = (resources: readonly StateResource[]): Map<string, StateResource[]> =>
  Map.groupBy(resources, stackIn);

/** A stack that could not be checked because of an error. */
export const failureOf = (stack: string, error: Error, resources = 0): Failure => ({
  stack,
  reason: error.message,
  resources,
  exitCode: exitCodeOfError(error),
});

/**
 * All stacks of resources that could not be checked, each with its error. If the check covers none of the resources, the
 * stacks are those whose account could not be searched for unmanaged objects.
 */
export function failuresOf(
  resources: readonly StateResource[],
  errorOf: (stack: string) => Error,
  scope: Scope,
): Failure[] {
  const compared = byStack(scope.comparedOf(resources));
  const stacks = compared.size ? compared : byStack(resources);
  return [...stacks.keys()].map((stack) => failureOf(stack, errorOf(stack), compared.get(stack)?.length));
}
