import { addressOf } from "../client/address";
import { defaultsFor } from "../client/environment";
import { ApiError } from "../client/errors";
import { AnotherAccountError } from "./account";

/**
 * Explains why the service rejects the token, or why it belongs to another account: if a command does not run the
 * program, Pulumi passes the configuration of the last update, which can contain an old address and token. The address
 * in the environment takes precedence over it.
 */
export function rejectedOldToken(error: unknown): never {
  if (error instanceof AnotherAccountError) error.explain(reasonFor(error));
  if (error instanceof ApiError && error.status === 401) {
    error.message +=
      "; refresh and destroy use the token of the last update. If the token has changed since, add --run-program";
  }
  throw error;
}

function reasonFor({ recorded, current }: AnotherAccountError): string {
  const { url, variables } = defaultsFor();
  const isFromEnvironment = url !== undefined && variables.url && addressOf(url) === current.address;
  return isFromEnvironment && current.address !== recorded.address
    ? `Refresh and destroy use the address in ${variables.url}. If it is not that of this stack, unset ${variables.url}`
    : "Refresh and destroy use the address and token of the last update. If they have changed since, add --run-program";
}
