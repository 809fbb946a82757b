import { ApiError } from "../client/errors";
import { AnotherAccountError } from "./account";

/**
 * Explains why the service rejects the token, or why it belongs to another account: if a command does not run the
 * program, Pulumi passes the configuration of the last update, which can contain an old address and token. An address in
 * the environment takes precedence over it, and the error names its variable.
 */
export function rejectedOldToken(error: unknown): never {
  if (error instanceof AnotherAccountError && error.settingNames.url === "cloudinfra:url")
    error.explain(
      "Refresh and destroy use the address and token of the last update. If they have changed since, add --run-program",
    );
  if (error instanceof ApiError && error.hint?.includes("cloudinfra:token"))
    error.message +=
      "; refresh and destroy use the token of the last update. If the token has changed since, add --run-program";
  throw error;
}
