import { isLate } from "./errors";
import type { Host } from "./host";

/** Work that several operations share: whoever needs it first does it within its own deadline, the others wait for it. */
export class Once<V> {
  readonly #done = new Map<string, Promise<V>>();

  known(key: string): Promise<V> | undefined {
    return this.#done.get(key);
  }

  /** `what` completes "while waiting for". A failure is not kept. */
  get({ inTime }: Pick<Host, "inTime">, key: string, what: string, work: () => Promise<V>): Promise<V> {
    const known = this.#done.get(key);
    if (!known) return this.#begin(key, work);
    return inTime(known, what).catch((error) => {
      // Whoever began may have had less time.
      if (isLate(error)) return this.#begin(key, work);
      throw error;
    });
  }

  /** Has the work done anew by the next that needs it, unless that has happened already. */
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
