import { exitCodeOfError } from "../account/errors";
import type { StateResource } from "../stack/state";
import type { Failure } from "./model";

/** The stack of a resource, as `project/stack`. */
export const stackOf = ({ address }: Pick<StateResource, "address">): string =>
  address.split("/").slice(0, 2).join("/");

/** A stack that could not be checked because of an error. */
export const failureOf = (stack: string, error: Error, resources = 0): Failure => ({
  stack,
  reason: error.message,
  resources,
  exitCode: exitCodeOfError(error),
});

/** All stacks of resources that could not be checked because of an error. */
export const failuresOf = (resources: readonly StateResource[], error: Error): Failure[] =>
  [...Map.groupBy(resources, stackOf)].map(([stack, { length }]) => failureOf(stack, error, length));
