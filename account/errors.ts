import { CloudInfraError, isTokenRejected } from "../provider/client/errors";
import { AnotherAccountError } from "../provider/pulumi/account";

/** The API rejected the token, so the account could not be read. */
export class AuthenticationError extends CloudInfraError {
  override readonly name = "AuthenticationError";

  constructor(
    readonly operation: string,
    /** The setting that contains the token, such as `CLOUDINFRA_TOKEN`. */
    setting = "CLOUDINFRA_TOKEN",
    message = `the API rejected the token (401 in ${operation}). Set ${setting} to a valid token; read-only access is enough`,
  ) {
    super(message);
  }
}

/** Nothing could be read from an account: the service was not reached in time, or did not respond as the API does. */
export class UnreachableAccountError extends CloudInfraError {
  override readonly name = "UnreachableAccountError";

  /** `nothing` says which effect this has, such as `nothing was imported`. */
  constructor(
    override readonly cause: Error,
    nothing = "nothing could be checked",
  ) {
    super(`${nothing}: ${cause.message}`);
  }
}

/** The exit code of a command that failed because of an account: 4 for a rejected token, 5 for an unreachable service. */
export function exitCodeOfError(error: unknown): 1 | 4 | 5 {
  if (error instanceof AnotherAccountError && error.current.failure)
    return isTokenRejected(error.current.failure) ? 4 : 5;
  return error instanceof AuthenticationError ? 4 : error instanceof UnreachableAccountError ? 5 : 1;
}
