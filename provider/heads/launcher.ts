import type { dynamic } from "@pulumi/pulumi";
import { ApiError } from "../client/errors";
import { AnotherAccountError } from "./account";
import type { Talk } from "./connection";
import type { RawConfig } from "./settings";

/** Prints messages to the output of the provider's process, which Pulumi shows line by line. */
export const terminal: Talk = {
  warn: (message) => console.warn(`warning: ${message}`),
  progress: (message) => console.log(message),
};

const ignored = (): void => {};

/**
 * Ignores errors of writing output. After Pulumi has been killed, nothing reads the output. Pulumi's Node.js process
 * would then print an error for each failed write, which fails as well, until memory is exhausted.
 */
export function dropLostOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    if (!stream.listeners("error").includes(ignored)) stream.on("error", ignored);
}

/**
 * The whole configuration of the stack. Pulumi's types only allow lookups of known keys, which would not find
 * misspelled settings.
 */
export const rawOf = (config: dynamic.Config): RawConfig => (config as { rawConfig?: RawConfig }).rawConfig ?? {};

/**
 * Explains why the service rejects the token, or why it belongs to another account: if a command does not run the
 * program, Pulumi passes the configuration of the last update, which can contain an old address and token.
 */
export function refusedOldToken(error: unknown): never {
  if (error instanceof AnotherAccountError && !error.message.endsWith(OF_LAST_UPDATE)) error.message += OF_LAST_UPDATE;
  if (error instanceof ApiError && error.status === 401) {
    error.message +=
      "; refresh and destroy use the token of the last update. If the token has changed since, add --run-program";
  }
  throw error;
}

const OF_LAST_UPDATE =
  ". Refresh and destroy use the address and token of the last update. If they have changed since, add --run-program";
