/** The state of a command of the engine. A killed command starts no further steps and saves nothing. */
export interface Run {
  isAlive: boolean;
  failures: Error[];
  /** Resources that were deleted before their replacements were created. */
  deletedFirst: Set<string>;
  kill(error: Error): void;
}

export const newRun = (kill: Run["kill"]): Run => ({ isAlive: true, failures: [], deletedFirst: new Set(), kill });

/** Throws the errors of the command's failed steps, if there are any. */
export function throwFailures({ failures }: Run): void {
  const [first, ...more] = failures;
  if (more.length) throw new AggregateError(failures, failures.map(({ message }) => message).join("\n"));
  if (first) throw first;
}
