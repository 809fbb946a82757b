import { type Host, perConnection } from "./host";

/** For each connection, the end of the last work that holds or waits for a lock, by the name of what is locked. */
const tailsOf = perConnection(() => new Map<string, Promise<unknown>>());

/**
 * Runs work that reads something, changes it and writes it back, such as the tags of an object. Other work of this
 * process that names the same parts of objects waits, because one of the two changes would be lost otherwise. Other
 * work starts in the order of the calls.
 */
export async function withLocks<T>(
  host: Pick<Host, "connection" | "withDeadline">,
  names: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  // All work locks the parts in the same order, so no two works wait for each other.
  const [name, ...rest] = [...new Set(names)].sort();
  if (name === undefined) return work();
  const tails = tailsOf(host);
  const previous = tails.get(name);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const tail = Promise.all([previous, released]);
  tails.set(name, tail);
  try {
    if (previous) await host.withDeadline(previous, `other changes of ${name}`);
    return await withLocks(host, rest, work);
  } finally {
    release();
    if (tails.get(name) === tail) tails.delete(name);
  }
}
