import { weightOf } from "./json";

export type Row = Record<string, unknown>;
export type Rows = Map<string, Row>;

/**
 * How old an observation may be. `now`: it must be read from now on. `changed`: the same, unless the response to our
 * last change contained the object. `young`: a list of the collection may have returned it some seconds ago. `any`: any
 * age is accepted, for values that do not change. `deleted`: it must be read from now on; since we have deleted the
 * object, a list of one page without it suffices to show that it does not exist.
 */
export type Age = "now" | "changed" | "young" | "any" | "deleted";

/** When a read began: the time, and the number of our changes up to then. */
export interface Moment {
  at: number;
  changes: number;
}

/** Maximum memory of cached observations in bytes: more than ten thousand objects need. */
export const MOST_BYTES = 20_000_000;

interface Seen {
  row: Row;
  weight: number;
  /** Time until which it counts as young; `-Infinity` unless a list of the collection returned it. */
  youngUntil: number;
  /** Whether this is the response to our last change, and no read has returned it yet. */
  isNews: boolean;
}

const OLD = { youngUntil: Number.NEGATIVE_INFINITY, isNews: false } as const;

/** The observations of a collection, without those that our own changes have made stale. */
export class Observations {
  readonly #now: () => number;
  readonly #seen = new Map<string, Seen>();
  #weight = 0;
  /** Counts the changes that this process made, and keeps the count at the last change of each object and of all objects. */
  #changes = 0;
  #allChanged = 0;
  readonly #changed = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  moment(): Moment {
    return { at: this.#now(), changes: this.#changes };
  }

  /** Whether a read that began then includes our last change of the object. */
  isCurrent(id: string, { changes }: Moment): boolean {
    return changes >= this.#allChanged && changes >= (this.#changed.get(id) ?? 0);
  }

  /** The object, if a sufficiently recent observation exists. */
  get(id: string, age: Age): Row | undefined {
    const seen = this.#seen.get(id);
    if (!seen || age === "now" || age === "deleted") return undefined;
    const { row, youngUntil, isNews } = seen;
    if (age === "changed") seen.isNews = false;
    return age === "any" || (age === "young" ? this.#now() <= youngUntil : isNews) ? row : undefined;
  }

  /**
   * Stores the result of a read, unless we have changed the object in the meantime. If it is from a list of all
   * objects, it counts as young for the given time.
   */
  keep(rows: Rows, began: Moment, youngMs?: number): void {
    const more = youngMs === undefined ? {} : { youngUntil: began.at + youngMs };
    for (const [id, row] of rows) if (this.isCurrent(id, began)) this.#put(id, row, more);
  }

  /** Stores the object from the response to a change. */
  show(id: string, row: Row): void {
    this.#put(id, row, { isNews: true });
  }

  /**
   * Records that we are changing the object, or something that all objects may depend on: earlier observations are
   * stale.
   */
  change(id?: string): void {
    this.#changes++;
    if (id === undefined) this.#allChanged = this.#changes;
    else this.#changed.set(id, this.#changes);
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
