import { CloudInfraError } from "../provider/client/errors";

/** The state of a stack is not valid JSON, is not a state, or has a format that is too new. */
export class StateError extends CloudInfraError {
  override readonly name = "StateError";
}

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

/** It is not known whether a command has changed the state of a stack, so what belongs to the change must stay. */
export class UnknownOutcomeError extends CommandError {
  override readonly name = "UnknownOutcomeError";

  constructor(message: string) {
    super(message, 1);
  }
}

/** A usage error, which exits with 2. */
export class UsageError extends CommandError {
  override readonly name = "UsageError";

  constructor(message: string) {
    super(message, 2);
  }
}
