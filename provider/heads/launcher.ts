import type { dynamic } from "@pulumi/pulumi";
import { ApiError } from "../client/errors";
import type { Talk } from "./connection";
import type { RawConfig } from "./settings";

/** The launcher forwards the output of a provider line by line while it runs. */
export const terminal: Talk = {
  warn: (message) => console.warn(`warning: ${message}`),
  progress: (message) => console.log(message),
};

/**
 * Reads the whole configuration of the stack, because a lookup by key, the only method in Pulumi's types, would miss
 * misspelled settings.
 */
export const rawOf = (config: dynamic.Config): RawConfig => (config as { rawConfig?: RawConfig }).rawConfig ?? {};

/**
 * Without the program, the engine uses the configuration of the last update, including an old token.
 */
export function refusedOldToken(error: unknown): never {
  if (error instanceof ApiError && error.status === 401) {
    error.message +=
      "; refresh and destroy use the token of the last update. If it has changed since, add --run-program";
  }
  throw error;
}
