/** Maximum number of cached texts, so that callers who send many different texts cannot exhaust the memory. */
const MAX_ENTRIES = 1000;

/**
 * A small cache of parsed texts, because most clients send the same few tokens, queries and filters again and again.
 */
export class TextCache<V> {
  readonly #values = new Map<string, V>();

  /** The cached value of the text. If there is none, calls `make` and caches its result, unless that is undefined. */
  get(text: string, make: (text: string) => V): V {
    const cached = this.#values.get(text);
    if (cached !== undefined) return cached;
    const value = make(text);
    if (this.#values.size >= MAX_ENTRIES) this.#values.clear();
    if (value !== undefined) this.#values.set(text, value);
    return value;
  }
}
