import type { dynamic } from "@pulumi/pulumi";
import { ApiError } from "../client/errors";
import type { Talk } from "./connection";
import type { RawConfig } from "./settings";

/** Prints messages to the output of the provider's process, which Pulumi shows line by line. */
export const terminal: Talk = {
  warn: (message) => console.warn(`warning: ${message}`),
  progress: (message) => console.log(message),
};

const ignored = (): void => {};

/**
 * Drops output that cannot be written. After the engine was killed, nothing reads it: the launcher would print an error
 * for each failed write, which fails as well, and would keep all these errors until the memory is exhausted.
 */
export function dropLostOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    if (!stream.listeners("error").includes(ignored)) stream.on("error", ignored);
}

/**
 * The whole configuration of the stack. Pulumi's types only allow lookups by key, which would miss misspelled settings.
 */
export const rawOf = (config: dynamic.Config): RawConfig => (config as { rawConfig?: RawConfig }).rawConfig ?? {};

/**
 * An explanation for a token that the service rejects. If the program does not run, Pulumi uses the configuration of
 * the last update, including an old token.
 */
export function refusedOldToken(error: unknown): never {
  if (error instanceof ApiError && error.status === 401) {
    error.message +=
      "; refresh and destroy use the token of the last update. If the token has changed since, add --run-program";
  }
  throw error;
}
