import { CloudInfraError } from "../client/errors";
import { printable } from "../client/printable";
import { version } from "../client/version";
import { InitFailed } from "../engine/errors";

/**
 * Whether the provider explains a failure. Plain errors are written by kinds and by the system; any other class, such
 * as a TypeError, is a bug in this package.
 */
const isExpected = (error: unknown): boolean =>
  error instanceof InitFailed
    ? isExpected(error.cause)
    : error instanceof CloudInfraError || (error instanceof Error && error.constructor === Error);

/** The text of an error for a user: its message, and for a bug of this package the stack trace. */
export function textOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const report = isExpected(error)
    ? []
    : [`This is a bug in pulumi-cloudinfra ${version}. Please report it with this stack trace:`];
  const shown = report.length || process.env.CLOUDINFRA_DEBUG ? traces(error) : [];
  return printable([message, ...report, ...shown].join("\n"));
}

/** The stack trace of an error and of its causes. */
function traces(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { stack = "", cause } = error;
  return [stack, ...traces(cause).map((trace) => `Caused by: ${trace}`)];
}
