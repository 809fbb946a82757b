import { CloudInfraError } from "../client/errors";
import type { Bag } from "./values";

/** A resource has a status from which it cannot become ready. */
export class WaitError extends CloudInfraError {
  override readonly name = "WaitError";

  constructor(what: string, state: string, ms: number) {
    super(`${what} did not become ready: it was in ${state} after ${seconds(ms)}`);
  }
}

/** A deadline has passed. The message contains the condition that was not met. */
export class LateError extends CloudInfraError {
  override readonly name = "LateError";
  readonly timedOut = true;
}

/** Whether an error was caused by a deadline that has passed. */
export const isLate = (error: unknown): boolean => (error as { timedOut?: unknown } | undefined)?.timedOut === true;

/** Whether an in-place update has failed, and has stored what the next one has to complete. */
export const keepsState = (error: unknown): boolean =>
  isLate(error) || (error as { keepsState?: unknown } | undefined)?.keepsState === true;

/** An operation exceeded its time limit. */
export class DeadlineError extends CloudInfraError {
  override readonly name = "DeadlineError";

  constructor(
    about: { name: string; operation: string; limit: string; ms: number },
    override readonly cause: Error,
  ) {
    super(
      `${about.name}: ${about.operation} timed out after ${seconds(about.ms)}: ${asPart(cause)}. ` +
        `To allow more time, set ${about.limit} in the resource option customTimeouts or in cloudinfra:timeouts`,
    );
  }
}

/** Removes the final period of a message, so that it can be part of a longer sentence. */
export const asPart = ({ message }: Error): string => message.replace(/\.$/, "");

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/**
 * The parts of inputs that a failed create or update may or may not have changed: after a create all of them, after an
 * update JSON pointers with the names of the API, such as `/tags` or `/alerts/cpu`.
 */
export type Uncertain = "all" | readonly string[];

/**
 * A create or update failed after it may have changed the object. The id and the known outputs of the object are saved in
 * state, and the next update finishes the object.
 */
export class InitFailed extends CloudInfraError {
  override readonly name = "InitFailed";

  constructor(
    readonly id: string,
    readonly outs: Bag,
    override readonly cause: unknown,
    readonly uncertain: Uncertain,
  ) {
    super(cause instanceof Error ? cause.message : String(cause));
  }
}

/** An object that an update requires does not exist. */
export class MissingError extends CloudInfraError {
  override readonly name = "MissingError";

  constructor(what: string) {
    super(
      `${what} no longer exists: it was deleted outside this program. Run "pulumi refresh", then "pulumi up" to create it again`,
    );
  }
}

/** An object that the preview did not find exists, so it must not be deleted to create it again. */
export class FoundAgainError extends CloudInfraError {
  override readonly name = "FoundAgainError";

  constructor(what: string) {
    super(
      `${what} was not found when this update was planned, but it exists. Nothing was deleted. Run the update again`,
    );
  }
}

/** It is not known whether the object to be deleted is that of a resource with another name, or of its own. */
export class UnclearManagerError extends CloudInfraError {
  override readonly name = "UnclearManagerError";

  constructor(what: string) {
    super(
      `${what} was not deleted, because another resource of the program manages it, whose change has not been applied. ` +
        "If you have renamed the resource and an option such as replaceOnChanges replaces it, rename it in one update and change it in the next",
    );
  }
}

/** A new object was deleted before it was ready. Nothing is saved in state. */
export class UncreatedError extends CloudInfraError {
  override readonly name = "UncreatedError";

  constructor(what: string) {
    super(`${what} disappeared before it became ready: creation failed, or it was deleted. Run the update again`);
  }
}

/** An object that a new resource needs, such as the domain of a DNS record, does not exist. */
export class NeededMissingError extends CloudInfraError {
  override readonly name = "NeededMissingError";

  constructor(
    reason: string,
    override readonly cause: unknown,
  ) {
    super(`${reason}. If this object was deleted outside this program, run "pulumi up --refresh" to create it again`);
  }
}

/** None of a stack's objects exists, so address or token may be those of another account. */
export class AllMissingError extends CloudInfraError {
  override readonly name = "AllMissingError";

  constructor(objects: string, account: string, confirm: string) {
    super(
      `none of ${objects} exists in ${account}, so they do not count as deleted. ` +
        `Check that the address and token are those of the stack's account. If all of these objects were deleted, ${confirm}`,
    );
  }
}

/** An object was not found, but it may exist, because the token's user does not see all objects. */
export class MaybeHiddenError extends CloudInfraError {
  override readonly name = "MaybeHiddenError";

  constructor(what: string, confirm: string) {
    super(
      `${what} was not found, but it may exist: the token's user is restricted, and does not see objects without a grant. ` +
        `It stays in the state. Add the grant, or use a token of an unrestricted user. If it and all other objects that this command does not find were deleted, ${confirm}`,
    );
  }
}

/** The response to a create request was lost, and several objects match the request. */
export class AmbiguousCreateError extends CloudInfraError {
  override readonly name = "AmbiguousCreateError";

  constructor(what: string, ids: readonly string[]) {
    super(
      `${what}: the response to its create request was lost, and it created one of the objects ${ids.join(", ")}. ` +
        "Adopt or import the one that belongs to this stack before the next update; another client may have created the others",
    );
  }
}

/** The response to a create request was lost, and the new object, which cannot be used without it, could not be deleted. */
export class UnusableCreateError extends CloudInfraError {
  override readonly name = "UnusableCreateError";

  readonly timedOut: boolean;

  constructor(
    what: string,
    id: string,
    override readonly cause: unknown,
  ) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(
      `${what} ${id} was created, but the response to its create request was lost, and deleting it failed: ${why}. ` +
        "Delete it before the next update",
    );
    this.timedOut = isLate(cause);
  }
}

/** The response to a create request was lost, and searching for the object, or repeating the request, failed. */
export class UnknownCreateError extends CloudInfraError {
  override readonly name = "UnknownCreateError";
  readonly timedOut: boolean;

  constructor(
    what: string,
    lost: Error,
    override readonly cause: unknown,
    after: "search" | "repeat" = "search",
  ) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(
      after === "search"
        ? `${lost.message}, and the search for the new ${what} failed too: ${why}. If it exists, delete it before the next update`
        : `${lost.message}, and repeating the request failed too: ${why}. The next update repeats it; if you remove the ${what} from the program instead, first delete it by hand if it exists`,
    );
    this.timedOut = isLate(lost) || isLate(cause);
  }
}
