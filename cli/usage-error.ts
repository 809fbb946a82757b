import { AuthenticationError, UnreachableAccountError } from "../drift/errors";

/** An expected failure. Only the message is printed, without a stack trace. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";

  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

/** A usage error, which exits with 2. */
export class UsageError extends CommandError {
  override readonly name = "UsageError";

  constructor(message: string) {
    super(message, 2);
  }
}

export function exitCodeFor(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  return error instanceof AuthenticationError ? 4 : error instanceof UnreachableAccountError ? 5 : 1;
}
