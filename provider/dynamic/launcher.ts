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

/** The line that Pulumi's Node.js process prints for an error of {@link withoutText}. */
const NO_TEXT = ": ";

/**
 * An error that Pulumi's Node.js process does not print. It would print the error and its stack trace, although the
 * engine prints the message with the name of the resource.
 */
export function withoutText(error: Error, message: string): Error {
  return Object.assign(error, { message, stack: "", toString: () => "" });
}

let isFiltered = false;

/** Omits the lines of {@link withoutText}. */
export function omitEmptyErrors(): void {
  if (isFiltered) return;
  isFiltered = true;
  const { error } = console;
  console.error = (...args: unknown[]) => {
    if (args.length !== 1 || args[0] !== NO_TEXT) error(...args);
  };
}

/**
 * The whole configuration of the stack. Pulumi's types only allow lookups of known keys, which would not find
 * misspelled settings.
 */
export const rawOf = (config: dynamic.Config): RawConfig => (config as { rawConfig?: RawConfig }).rawConfig ?? {};
