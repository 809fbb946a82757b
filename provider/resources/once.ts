import { isLate } from "../engine/errors";
import type { Host } from "../engine/host";

/**
 * Caches results of work by key, so that several operations share a result. The first operation does the work, and the
 * other operations wait for it.
 */
export class CachedWork<V> {
  readonly #done = new Map<string, Promise<V>>();

  known(key: string): Promise<V> | undefined {
    return this.#done.get(key);
  }

  /**
   * The cached result, or the result of new work. In the message of a timeout, `what` follows "while waiting for".
   * Errors are not cached.
   */
  async get(host: Pick<Host, "withDeadline">, key: string, what: string, work: () => Promise<V>): Promise<V> {
    const cached = this.#done.get(key);
    if (!cached) return this.#begin(key, work);
    const outcome = await host.withDeadline(outcomeOf(cached), what);
    if ("value" in outcome) return outcome.value;
    // The operation that began the work has reached its deadline. This operation has a later one, so it begins the work
    // again, or waits for an operation that already has.
    if (isLate(outcome.error)) return this.get(host, key, what, work);
    throw outcome.error;
  }

  /** Discards a cached result, unless it has already been replaced. */
  forget(key: string, stale: Promise<V>): boolean {
    return this.#done.get(key) === stale && this.#done.delete(key);
  }

  #begin(key: string, work: () => Promise<V>): Promise<V> {
    const result = work();
    this.#done.set(key, result);
    result.catch(() => this.forget(key, result));
    return result;
  }
}

/** The result of work or its error, so that an error of the work differs from an error while waiting for it. */
const outcomeOf = <V>(work: Promise<V>): Promise<{ value: V } | { error: unknown }> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
