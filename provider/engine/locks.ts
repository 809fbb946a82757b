import { type Host, perConnection } from "./host";

/** For each connection, the end of the last work that holds or waits for a lock, by the name of what is locked. */
const ends = perConnection(() => new Map<string, Promise<unknown>>());

/**
 * Runs work that reads something, changes it and writes it back, such as the tags of an object. Other work of this
 * process that names the same parts of objects waits, because one of the two changes would be lost otherwise. Other
 * work starts in the order of the calls.
 */
export async function exclusively<T>(
  host: Pick<Host, "connection" | "inTime">,
  parts: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  // All work locks the parts in the same order, so no two works wait for each other.
  const [part, ...others] = [...new Set(parts)].sort();
  if (part === undefined) return work();
  const last = ends(host);
  const before = last.get(part);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const turn = Promise.all([before, ended]);
  last.set(part, turn);
  try {
    if (before) await host.inTime(before, `other changes of ${part}`);
    return await exclusively(host, others, work);
  } finally {
    end();
    if (last.get(part) === turn) last.delete(part);
  }
}
