/** Maximum number of cached texts, so that a caller whose texts are all different cannot exhaust the memory. */
const KEPT = 1000;

/** A small cache of parsed texts, because most clients send the same few tokens, queries and filters repeatedly. */
export class Recent<V> {
  readonly #kept = new Map<string, V>();

  /** Returns the cached value, or caches the result of `make` unless it is undefined. */
  get(text: string, make: (text: string) => V): V {
    const kept = this.#kept.get(text);
    if (kept !== undefined) return kept;
    const made = make(text);
    if (this.#kept.size >= KEPT) this.#kept.clear();
    if (made !== undefined) this.#kept.set(text, made);
    return made;
  }
}
