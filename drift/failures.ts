import { exitCodeOfError } from "../account/errors";
import { type StateResource, stackIn } from "../stack/state";
import type { Failure } from "./model";

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

/** All stacks of resources that could not be checked because of an error. */
export const failuresOf = (resources: readonly StateResource[], error: Error): Failure[] =>
  [...byStack(resources)].map(([stack, { length }]) => failureOf(stack, error, length));
