import { isLate } from "../engine/errors";
import type { Host } from "../engine/host";

/**
 * Caches results of work by key, so that several operations share a result. The first operation does the work, and the
 * other operations wait for it.
 */
export class Once<V> {
  readonly #done = new Map<string, Promise<V>>();

  known(key: string): Promise<V> | undefined {
    return this.#done.get(key);
  }

  /**
   * The cached result, or the result of new work. In the message of a timeout, `what` follows "while waiting for".
   * Errors are not cached.
   */
  get({ inTime }: Pick<Host, "inTime">, key: string, what: string, work: () => Promise<V>): Promise<V> {
    const known = this.#done.get(key);
    if (!known) return this.#begin(key, work);
    return inTime(known, what).catch((error) => {
      // The operation that began the work has reached its deadline. This operation may have a later deadline, so it
      // begins the work again.
      if (isLate(error)) return this.#begin(key, work);
      throw error;
    });
  }

  /** Discards a cached result, unless it has already been replaced. */
  forget(key: string, stale: Promise<V>): boolean {
    return this.#done.get(key) === stale && this.#done.delete(key);
  }

  #begin(key: string, work: () => Promise<V>): Promise<V> {
    const begun = work();
    this.#done.set(key, begun);
    begun.catch(() => this.forget(key, begun));
    return begun;
  }
}
