import { CloudInfraError } from "../provider/client/errors";

/** The API rejected the token, so the account could not be read. */
export class AuthenticationError extends CloudInfraError {
  override readonly name = "AuthenticationError";

  constructor(readonly operation: string) {
    super(
      `the API rejected the token (401 in ${operation}). Set CLOUDINFRA_TOKEN to a valid token; read-only access is enough`,
    );
  }
}

/** The state of a stack cannot be used. */
export class StateError extends CloudInfraError {
  override readonly name = "StateError";
}

/** The allow-list cannot be used. */
export class AllowListError extends CloudInfraError {
  override readonly name = "AllowListError";
}

/** An earlier report cannot be used. */
export class ReportError extends CloudInfraError {
  override readonly name = "ReportError";
}
