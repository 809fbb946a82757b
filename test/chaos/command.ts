/** A command of the engine. Once it is killed, it begins nothing and saves nothing. */
export interface Run {
  isAlive: boolean;
  failures: Error[];
  /** Resources that were deleted before their replacements were created. */
  deletedFirst: Set<string>;
  kill(error: Error): void;
}

export const newRun = (kill: Run["kill"]): Run => ({ isAlive: true, failures: [], deletedFirst: new Set(), kill });

/** Throws the failures of a command, if there are any. */
export function throwFailures({ failures }: Run): void {
  const [first, ...more] = failures;
  if (more.length) throw new AggregateError(failures, failures.map(({ message }) => message).join("\n"));
  if (first) throw first;
}
