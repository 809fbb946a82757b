import { isLoopback } from "./address";

/** An error in an error response of the service: the reason and the field that it concerns. */
export interface Reason {
  /** Dotted path of the field in the request's body. Omitted if the error does not concern a field. */
  field?: string | undefined;
  /** The service's description of the problem. */
  reason: string;
  /** The description in the contract's words, if a dialect has others. */
  meaning?: string;
}

/** Base class of this package's errors whose messages explain the problem to users. */
export abstract class CloudInfraError extends Error {}

/** The service returned an error response. */
export class ApiError extends CloudInfraError {
  override readonly name = "ApiError";

  constructor(
    readonly operation: string,
    readonly status: number,
    readonly reasons: readonly Reason[],
    /** Advice for the user, which is added to the message. */
    readonly hint?: string,
    /** Whether the request may have been carried out: an earlier attempt of it whose response was lost, or after a 5xx. */
    readonly mayBeDone = false,
  ) {
    const details = reasons.map(({ field, reason }) => (field ? `${field}: ${reason}` : reason)).join("; ");
    const doubt = doubtOf({ status, mayBeDone });
    super(`${operation}: ${status} ${details || "(no reason given)"}${hint ? ` (${hint})` : ""}${doubt}`);
  }
}

/** The end of a message about an error response, which says whether the request may have been carried out. */
export function doubtOf({ status, mayBeDone }: Pick<ApiError, "status" | "mayBeDone">): string {
  const what = status < 500 ? "an earlier attempt of the request" : "the request";
  return mayBeDone ? `; ${what} may have been carried out` : "";
}

/**
 * A request that changes something was sent, but its response was lost. The request may have been carried out, so it
 * was not retried.
 */
export class LostResponseError extends CloudInfraError {
  override readonly name = "LostResponseError";

  constructor(
    readonly operation: string,
    why: string,
    override readonly cause: unknown,
    /** Whether the response is missing because the call's deadline passed. */
    readonly timedOut = false,
  ) {
    super(`${operation}: the response was lost (${why}); the request may have been carried out`);
  }
}

/** The service cannot be reached. Either nothing was sent, or only requests that do not change anything. */
export class UnreachableError extends CloudInfraError {
  override readonly name = "UnreachableError";

  constructor(
    readonly operation: string,
    readonly url: string,
    readonly why: string,
    override readonly cause: unknown,
    /** The setting that contains the address, such as `CLOUDINFRA_URL`. */
    settingName?: string,
  ) {
    const { port } = new URL(url);
    const isStopped = isLoopback(new URL(url)) && why.includes("ECONNREFUSED");
    const hint = isStopped
      ? `; is the emulator running? Start it with "${emulatorCommand(port)}" (${NEW_ACCOUNT})`
      : "";
    const source = settingName ? ` (${settingName})` : "";
    super(`${operation}: cannot reach ${url}${source}: ${why}${hint}. ${DOCTOR} to find the cause`);
  }
}

/** The next step after an error of the connection. */
const DOCTOR = 'Run "npx cloudinfra doctor"';

const NEW_ACCOUNT = "without --data, it has a new account";

/** The command that starts an emulator on a port. */
export const emulatorCommand = (port: string): string =>
  `npx cloudinfra emulator${port === EMULATOR_PORT ? "" : ` --port ${port}`}`;

/** The emulator's default port. */
const EMULATOR_PORT = "4108";

/** The response does not match the API's contract, for example because another server sent it. */
export class ContractError extends CloudInfraError {
  override readonly name = "ContractError";

  constructor(
    readonly operation: string,
    readonly status: number,
    readonly contentType: string,
    readonly what: string,
    /** Whether the request may have been carried out. */
    readonly mayBeDone = false,
    settingName = "cloudinfra:url",
  ) {
    const hint = mayBeDone ? "; the request may have been carried out" : "";
    super(
      `${operation}: the response (${status}, ${contentType}) ${what}${hint}. Check that ${settingName} is the address of the API. ${DOCTOR} to check the connection`,
    );
  }
}

/** Whether a request that changes something may have been carried out although it failed with this error. */
export const isInDoubt = (error: unknown): error is LostResponseError | ContractError | ApiError =>
  error instanceof LostResponseError ||
  ((error instanceof ContractError || error instanceof ApiError) && error.mayBeDone);

/** The call was cancelled or timed out. Nothing was changed: either nothing was sent, or only requests that read. */
export class CancelledError extends CloudInfraError {
  override readonly name = "CancelledError";

  constructor(
    readonly operation: string,
    readonly by: "caller" | "deadline",
    override readonly cause?: unknown,
    /** The phase in which the call timed out, such as `while waiting for the response`. */
    what = "",
  ) {
    super(`${operation}: ${by === "caller" ? "cancelled" : `timed out ${what}`.trimEnd()}`);
  }

  get timedOut(): boolean {
    return this.by === "deadline";
  }
}

/** The settings of a client are not valid. */
export class SettingError extends CloudInfraError {
  override readonly name = "SettingError";

  constructor(
    readonly setting: "url" | "token" | "dialect",
    readonly problem: string,
    /** The setting's full name, such as `CLOUDINFRA_URL`. */
    name = `cloudinfra:${setting}`,
  ) {
    super(`${name} ${problem}`);
  }
}

/** Whether the error is a 401: the service rejects the token, and has not carried out the request. */
export const isTokenRejected = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 401;

/** Whether the token or its user may not send the request. */
export const isUnauthorized = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 401 || error.status === 403);

/** Whether the error is a 404: the object does not exist. */
export const isNotFound = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 404;

/** Whether the error is a 5xx that was still the response after several attempts. */
export const isServerError = (error: unknown): error is ApiError => error instanceof ApiError && error.status >= 500;

/** Whether the error is a 400: the service rejects a value in the request, such as the id of an object that does not exist. */
export const isInvalid = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 400;
