import type { dynamic } from "@pulumi/pulumi";
import type { Messages } from "../pulumi/connection";
import type { RawConfig } from "../pulumi/settings";

/** Prints messages to the output of the provider's process, which Pulumi shows line by line. */
export const terminalMessages: Messages = {
  warn: (message) => console.warn(`warning: ${message}`),
  progress: (message) => console.log(message),
};

const ignoredErrors = (): void => {};

/**
 * Ignores errors of writing output. After Pulumi has been killed, nothing reads the output. Pulumi's Node.js process
 * would then print an error for each failed write, which fails as well, until memory is exhausted.
 */
export function dropLostOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    if (!stream.listeners("error").includes(ignoredErrors)) stream.on("error", ignoredErrors);
}

/**
 * The whole configuration of the stack. Pulumi's types only allow lookups of known keys, which would not find
 * misspelled settings.
 */
export const rawOf = (config: dynamic.Config): RawConfig => (config as { rawConfig?: RawConfig }).rawConfig ?? {};
