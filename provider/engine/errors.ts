import { CloudInfraError } from "../client/errors";
import type { Bag } from "./resource";

/** A resource is in a state that it does not leave for the wanted one. */
export class WaitError extends CloudInfraError {
  override readonly name = "WaitError";

  constructor(what: string, state: string, ms: number) {
    super(`${what}: failed after ${seconds(ms)}: ${state}`);
  }
}

/** The deadline has passed; the message says what was still missing. */
export class LateError extends CloudInfraError {
  override readonly name = "LateError";
  readonly timedOut = true;
}

/** Whether an error comes of a deadline that has passed. */
export const isLate = (error: unknown): boolean => (error as { timedOut?: unknown } | undefined)?.timedOut === true;

/** An operation did not end within its time limit. */
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

/** A message as a part of a longer sentence. */
export const asPart = ({ message }: Error): string => message.replace(/\.$/, "");

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/** The object exists but is not finished: its id and what is known of it belong into state, the next update finishes it. */
export class InitFailed extends CloudInfraError {
  override readonly name = "InitFailed";

  constructor(
    readonly id: string,
    readonly outs: Bag,
    override readonly cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause));
  }
}

/** An object that a step needs is not there any more. */
export class GoneError extends CloudInfraError {
  override readonly name = "GoneError";

  constructor(what: string) {
    super(`${what} is gone: it was deleted outside this program; run "pulumi refresh" to have it created again`);
  }
}

/** What was being made went away before it was ready: there is nothing to keep. */
export class UnmadeError extends CloudInfraError {
  override readonly name = "UnmadeError";

  constructor(what: string) {
    super(`${what} is gone before it was ready: its making failed or somebody deleted it; run the update again`);
  }
}

/** An object was made at another address than the one in the environment. */
export class ElsewhereError extends Error {
  override readonly name = "ElsewhereError";

  constructor(what: string, lastUpdateAt: string, why: "missing" | "deletion") {
    super(
      why === "missing"
        ? `${what} does not exist at the address in CLOUDINFRA_URL; the last update used ${lastUpdateAt}. ` +
            'Unset CLOUDINFRA_URL, or set cloudinfra:url and run "pulumi up"'
        : `${what} is not deleted: CLOUDINFRA_URL is not the address that the last update used (${lastUpdateAt}). ` +
            "Unset CLOUDINFRA_URL to delete it there",
    );
  }
}

/** A creation whose answer was lost left more than one object that could be the one. */
export class UnsureError extends CloudInfraError {
  override readonly name = "UnsureError";

  constructor(what: string, ids: readonly string[]) {
    super(
      `${what}: the answer to its creation was lost and ${ids.join(", ")} could each be it; ` +
        "delete what is too much, then run the update again",
    );
  }
}

/** A creation whose answer was lost made what can't be used without that answer, nor be deleted. */
export class UselessError extends CloudInfraError {
  override readonly name = "UselessError";

  readonly timedOut: boolean;

  constructor(
    what: string,
    id: string,
    override readonly cause: unknown,
  ) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(
      `${what} ${id}: the answer to its creation was lost and with it its secret, and deleting it failed: ${why}; ` +
        "delete it before the next update",
    );
    this.timedOut = isLate(cause);
  }
}

/** A creation whose answer was lost could not even be looked for. */
export class UnseenError extends CloudInfraError {
  override readonly name = "UnseenError";
  readonly timedOut: boolean;

  constructor(
    what: string,
    lost: Error,
    override readonly cause: unknown,
  ) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(
      `${lost.message}, and looking for the new ${what} failed as well: ${why}; if it is there, delete it before the next update`,
    );
    this.timedOut = isLate(lost) || isLate(cause);
  }
}
