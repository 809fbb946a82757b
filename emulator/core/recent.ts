/** So many texts are remembered; a caller that never repeats itself must not fill the memory. */
const KEPT = 1000;

/** What was made of the latest texts: most clients send the same few tokens, queries and filters over and over. */
export class Recent<V> {
  readonly #kept = new Map<string, V>();

  /** What is kept for the text, else what `make` returns for it; undefined is not kept. */
  get(text: string, make: (text: string) => V): V {
    const kept = this.#kept.get(text);
    if (kept !== undefined) return kept;
    const made = make(text);
    if (this.#kept.size >= KEPT) this.#kept.clear();
    if (made !== undefined) this.#kept.set(text, made);
    return made;
  }
}
