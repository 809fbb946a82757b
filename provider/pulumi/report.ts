import { CloudInfraError } from "../client/errors";
import { printable } from "../client/printable";
import { version } from "../client/version";
import { InitFailed } from "../engine/errors";

/**
 * Whether the message of an error is meant for users. This package throws its own classes or plain errors on purpose,
 * and any other class, such as TypeError, shows a bug in this package.
 */
const isExpected = (error: unknown): boolean =>
  error instanceof InitFailed
    ? isExpected(error.cause)
    : error instanceof CloudInfraError || (error instanceof Error && error.constructor === Error);

/** The message of an error for users. For a bug in this package, it contains the stack trace. */
export function textOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const report = isExpected(error)
    ? []
    : [`This is a bug in pulumi-cloudinfra ${version}. Please report it with this stack trace:`];
  const shown = report.length || process.env.CLOUDINFRA_DEBUG ? traces(error) : [];
  return printable([message, ...report, ...shown].join("\n"));
}

/** The stack traces of an error and its causes. */
export function traces(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { stack = "", cause } = error;
  return [stack, ...traces(cause).map((trace) => `Caused by: ${trace}`)];
}
