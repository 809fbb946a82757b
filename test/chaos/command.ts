/**
 * A running command of the simulated Pulumi engine, such as an update. After a kill, it starts no further operations
 * and saves nothing to state.
 */
export interface Run {
  isAlive: boolean;
  failures: Error[];
  kill(error: Error): void;
}

export const newRun = (kill: Run["kill"]): Run => ({ isAlive: true, failures: [], kill });

export function throwFailures({ failures }: Run): void {
  const [first, ...more] = failures;
  if (more.length) throw new AggregateError(failures, failures.map(({ message }) => message).join("\n"));
  if (first) throw first;
}

/**
 * Runs the work for each element after the work for the elements that `before` returns. Independent work runs
 * concurrently.
 */
export async function inOrder<T>(
  all: readonly T[],
  before: (one: T) => readonly T[],
  work: (one: T) => Promise<void>,
): Promise<void> {
  const started = new Map<T, Promise<void>>();
  const doneWith = (one: T): Promise<void> => {
    const done = started.get(one) ?? Promise.all(before(one).map(doneWith)).then(() => work(one));
    started.set(one, done);
    return done;
  };
  await Promise.all(all.map(doneWith));
}

/** Whether an object may exist although its create request failed. */
export const isInDoubt = (error: unknown): boolean =>
  isDeath(error) || (error instanceof Error && undecided.test(error.message));

/** Messages about a lost response whose object was not found, or is one of several equal objects. */
const undecided = /may have been carried out|the search for the new \w+ failed too|it created one of the objects/;

/** Whether the error means that the provider process was killed. */
export const isDeath = (error: unknown): boolean => error instanceof Error && /: EOF$/.test(error.message);
