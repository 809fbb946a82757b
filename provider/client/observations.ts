import { weightOf } from "./json";

export type Row = Record<string, unknown>;
export type Rows = Map<string, Row>;

/**
 * How old a cached object may be. `now`: the object is read again. `changed`: the object is read again, unless the
 * response to this process's last change contained it. `young`: an object from a list that was read a few seconds ago
 * is accepted. `any`: any cached object is accepted, for values that do not change. `deleted`: for an object that this
 * process has deleted; it is read again, and its absence in a complete list proves that it does not exist.
 */
export type Age = "now" | "changed" | "young" | "any" | "deleted";

/**
 * The start of a read: the time, and the number of changes that this process had made. A later change shows that the
 * result of the read is outdated.
 */
export interface Moment {
  at: number;
  changes: number;
}

/** Maximum memory of cached objects in bytes, which is enough for more than ten thousand objects. */
export const MOST_BYTES = 20_000_000;

interface Seen {
  row: Row;
  weight: number;
  /**
   * Time until which a read that accepts recent list entries (`young`) can return the object from the cache.
   * `-Infinity` unless the object is from a list.
   */
  youngUntil: number;
  /**
   * Whether the object is from the response to this process's last change, which one read after the change may use
   * instead of a request. False once a read has used it.
   */
  isNews: boolean;
}

const OLD = { youngUntil: Number.NEGATIVE_INFINITY, isNews: false } as const;

/** The cached objects of a collection. An object that this process changes is marked as outdated. */
export class Observations {
  readonly #now: () => number;
  readonly #seen = new Map<string, Seen>();
  #weight = 0;
  /**
   * Number of changes that this process has made. `#allChanged` is that number at the last change of all objects, and
   * `#changed` at the last change of each object.
   */
  #changes = 0;
  #allChanged = 0;
  readonly #changed = new Map<string, number>();
  /** Number of reads in progress. */
  #reads = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Runs a read, and remembers which objects change in the meantime. */
  async during<T>(read: () => Promise<T>): Promise<T> {
    this.#reads++;
    try {
      return await read();
    } finally {
      if (--this.#reads === 0) this.#changed.clear();
    }
  }

  moment(): Moment {
    return { at: this.#now(), changes: this.#changes };
  }

  /** Whether a read that started at the given moment reflects this process's last change of the object. */
  isCurrent(id: string, { changes }: Moment): boolean {
    return changes >= this.#allChanged && changes >= (this.#changed.get(id) ?? 0);
  }

  /** The cached object, if it is recent enough. */
  get(id: string, age: Age): Row | undefined {
    const seen = this.#seen.get(id);
    if (!seen || age === "now" || age === "deleted") return undefined;
    const { row, youngUntil, isNews } = seen;
    if (age === "changed") seen.isNews = false;
    return age === "any" || (age === "young" ? this.#now() <= youngUntil : isNews) ? row : undefined;
  }

  /**
   * Caches the result of a read, except objects that this process has changed since the read started. `youngMs`
   * is set for objects from a list: for that time, reads that accept recent list entries return the cached object.
   */
  keep(rows: Rows, began: Moment, youngMs?: number): void {
    const more = youngMs === undefined ? {} : { youngUntil: began.at + youngMs };
    for (const [id, row] of rows) if (this.isCurrent(id, began)) this.#put(id, row, more);
  }

  /** Caches the object from the response to a change. */
  show(id: string, row: Row): void {
    this.#put(id, row, { isNews: true });
  }

  /** Removes an object from the cache, because this process has deleted it. */
  forget(id: string): void {
    this.#weight -= this.#seen.get(id)?.weight ?? 0;
    this.#seen.delete(id);
  }

  /** Marks the cached object as outdated, because this process is changing it. Without an id, marks all objects. */
  change(id?: string): void {
    this.#changes++;
    if (id === undefined) this.#allChanged = this.#changes;
    else if (this.#reads > 0) this.#changed.set(id, this.#changes);
    const old = id === undefined ? [...this.#seen.values()] : [this.#seen.get(id)];
    for (const seen of old) if (seen) Object.assign(seen, OLD);
  }

  #put(id: string, row: Row, more: Partial<Seen>): void {
    const { weight = 0, youngUntil = OLD.youngUntil } = this.#seen.get(id) ?? {};
    const seen = { row, weight: weightOf(row), youngUntil, isNews: false, ...more };
    this.#weight += seen.weight - weight;
    this.#seen.set(id, seen);
    if (this.#weight <= MOST_BYTES) return;
    this.#seen.clear();
    this.#weight = 0;
  }
}
