import { isLoopback } from "./address";

/** The service's reason for an error, and its field. */
export interface Reason {
  /** Dotted path into the request's body. Omitted if the error does not concern a field. */
  field?: string | undefined;
  /** Description of the problem. */
  reason: string;
}

/** Every failure that this package explains in its message. */
export abstract class CloudInfraError extends Error {}

/** The service returned an error. */
export class ApiError extends CloudInfraError {
  override readonly name = "ApiError";

  constructor(
    readonly operation: string,
    readonly status: number,
    readonly reasons: readonly Reason[],
    /** Hint for the caller. */
    readonly hint?: string,
  ) {
    const said = reasons.map(({ field, reason }) => (field ? `${field}: ${reason}` : reason)).join("; ");
    super(`${operation}: ${status} ${said || "(no reason given)"}${hint ? ` (${hint})` : ""}`);
  }
}

/** The response to a change request was lost: it may have been carried out, so it was not retried. */
export class LostAnswerError extends CloudInfraError {
  override readonly name = "LostAnswerError";

  constructor(
    readonly operation: string,
    why: string,
    override readonly cause: unknown,
    /** The call's deadline passed before the response. */
    readonly timedOut = false,
  ) {
    super(`${operation}: the response was lost (${why}); the request may have been carried out`);
  }
}

/** The service cannot be reached, so nothing was sent, or nothing that could have changed something. */
export class UnreachableError extends CloudInfraError {
  override readonly name = "UnreachableError";

  constructor(
    readonly operation: string,
    readonly url: string,
    why: string,
    override readonly cause: unknown,
  ) {
    super(`${operation}: cannot reach ${url}: ${why}${isLoopback(new URL(url)) ? EMULATOR : ""}`);
  }
}

const EMULATOR = '; is the emulator running? Start it with "npx cloudinfra emulator"';

/** The response does not match the API, so it may come from another server. */
export class ContractError extends CloudInfraError {
  override readonly name = "ContractError";

  constructor(
    readonly operation: string,
    readonly status: number,
    readonly contentType: string,
    what: string,
    /** Whether the request may have changed something nevertheless. */
    readonly mayBeDone = false,
  ) {
    const hint = mayBeDone ? "; the request may have been carried out" : "";
    super(
      `${operation}: the response (${status}, ${contentType}) ${what}${hint}. Check that cloudinfra:url is the address of the API`,
    );
  }
}

/** Whether a request that may have been carried out has no usable response. */
export const isInDoubt = (error: unknown): error is LostAnswerError | ContractError =>
  error instanceof LostAnswerError || (error instanceof ContractError && error.mayBeDone);

/** The call was cancelled or timed out before anything was sent that could have changed something. */
export class CancelledError extends CloudInfraError {
  override readonly name = "CancelledError";

  constructor(
    readonly operation: string,
    readonly by: "caller" | "deadline",
    override readonly cause?: unknown,
    /** The phase that timed out, such as `while waiting for the response`. */
    what = "",
  ) {
    super(`${operation}: ${by === "caller" ? "cancelled" : `timed out ${what}`.trimEnd()}`);
  }

  get timedOut(): boolean {
    return this.by === "deadline";
  }
}

/** The settings of the client are not valid. */
export class SettingError extends CloudInfraError {
  override readonly name = "SettingError";

  constructor(
    readonly setting: "url" | "token",
    readonly problem: string,
  ) {
    super(`cloudinfra:${setting} ${problem}`);
  }
}

/** Whether the service reports that the object does not exist. */
export const isNotFound = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 404;
