import { CloudInfraError } from "../provider/client/errors";

/** The allow-list, which lists accepted differences, is not valid. */
export class AllowListError extends CloudInfraError {
  override readonly name = "AllowListError";
}

/** A name is not that of a kind. */
export class KindError extends CloudInfraError {
  override readonly name = "KindError";
}

/** The earlier report that was given as a baseline is not valid. */
export class ReportError extends CloudInfraError {
  override readonly name = "ReportError";
}

/** A stack sets no token, and the environment has none for its address. */
export class NoTokenError extends CloudInfraError {
  override readonly name = "NoTokenError";

  /** `variable`: the environment variable with a token that may be for another address. */
  constructor(address: string, variable: string | undefined) {
    super(
      variable
        ? `it sets no token, and ${variable} may be for another address: set CLOUDINFRA_URL to ${address} if the token is for it, or set cloudinfra:token in the stack's configuration`
        : `it sets no token: set CLOUDINFRA_TOKEN, and if CLOUDINFRA_URL is set, to ${address}; read-only access is enough`,
    );
  }
}
