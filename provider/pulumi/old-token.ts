import { ApiError } from "../client/errors";
import { AnotherAccountError } from "./account";

/**
 * Explains why the service rejects the token, or why it belongs to another account: if a command does not run the
 * program, Pulumi passes the configuration of the last update, which can contain an old address and token.
 */
export function rejectedOldToken(error: unknown): never {
  if (error instanceof AnotherAccountError && !error.message.endsWith(OF_LAST_UPDATE)) error.message += OF_LAST_UPDATE;
  if (error instanceof ApiError && error.status === 401) {
    error.message +=
      "; refresh and destroy use the token of the last update. If the token has changed since, add --run-program";
  }
  throw error;
}

const OF_LAST_UPDATE =
  ". Refresh and destroy use the address and token of the last update. If they have changed since, add --run-program";
