import { AuthenticationError } from "../drift/errors";

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

export const exitCodeFor = (error: unknown): number =>
  error instanceof CommandError ? error.exitCode : error instanceof AuthenticationError ? 4 : 1;
