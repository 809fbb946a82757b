import { exitCodeOfError } from "../account/errors";
import { CommandError } from "../stack/errors";

export const exitCodeFor = (error: unknown): number =>
  error instanceof CommandError ? error.exitCode : exitCodeOfError(error);
