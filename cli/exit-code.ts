import { AuthenticationError, UnreachableAccountError } from "../account/errors";
import { CommandError } from "../stack/errors";

export function exitCodeFor(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  return error instanceof AuthenticationError ? 4 : error instanceof UnreachableAccountError ? 5 : 1;
}
