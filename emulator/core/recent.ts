/** Maximum number of cached texts, so that callers who send many different texts cannot exhaust the memory. */
const KEPT = 1000;

/**
 * A small cache of parsed texts, because most clients send the same few tokens, queries and filters again and again.
 */
export class Recent<V> {
  readonly #kept = new Map<string, V>();

  /** The cached value of the text. If there is none, calls `make` and caches its result, unless that is undefined. */
  get(text: string, make: (text: string) => V): V {
    const kept = this.#kept.get(text);
    if (kept !== undefined) return kept;
    const made = make(text);
    if (this.#kept.size >= KEPT) this.#kept.clear();
    if (made !== undefined) this.#kept.set(text, made);
    return made;
  }
}
