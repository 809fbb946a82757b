/** A priority queue that returns the smallest item first. */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #before: (a: T, b: T) => boolean;

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#swapUnless(parent, at)) break;
      at = parent;
    }
  }

  pop(): T | undefined {
    const items = this.#items;
    const minimum = items[0];
    const last = items.pop() as T;
    if (items.length === 0) return minimum;
    items[0] = last;
    for (let at = 0; ; ) {
      let child = 2 * at + 1;
      if (child >= items.length) return minimum;
      if (child + 1 < items.length && this.#before(items[child + 1] as T, items[child] as T)) child++;
      if (!this.#swapUnless(at, child)) return minimum;
      at = child;
    }
  }

  clear(): void {
    this.#items.length = 0;
  }

  /** Swaps two items if they are in the wrong order. Returns whether they were swapped. */
  #swapUnless(upper: number, lower: number): boolean {
    const items = this.#items;
    const [a, b] = [items[upper] as T, items[lower] as T];
    if (!this.#before(b, a)) return false;
    items[upper] = b;
    items[lower] = a;
    return true;
  }
}
