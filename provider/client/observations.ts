import { weightOf } from "./json";

export type Row = Record<string, unknown>;
export type Rows = Map<string, Row>;

/**
 * How old an observation may be. `now`: it is read from now on. `changed`: so is it, unless the response to our last change has
 * just shown the object. `young`: a list of the collection may have shown it some seconds ago. `any`: it may be what was seen
 * first, for facts that do not change. `deleted`: it is read from now on, and since we have deleted it, a list of one page
 * that does not show it is enough to know that it does not exist.
 */
export type Age = "now" | "changed" | "young" | "any" | "deleted";

/** When a read began: by the clock, and by how many changes of ours there had been. */
export interface Moment {
  at: number;
  changes: number;
}

/** Ten thousand objects take less. */
export const MOST_BYTES = 20_000_000;

interface Seen {
  row: Row;
  weight: number;
  /** Until when it is young; `-Infinity` unless a list of the collection has shown it. */
  youngUntil: number;
  /** The response to our last change has shown it, and it has not been looked at since. */
  isNews: boolean;
}

const OLD = { youngUntil: Number.NEGATIVE_INFINITY, isNews: false } as const;

/** The observations of a collection, except those that our own changes have made stale. */
export class Observations {
  readonly #now: () => number;
  readonly #seen = new Map<string, Seen>();
  #weight = 0;
  /** Our changes so far, and after how many of them each object, or all of them, changed last. */
  #changes = 0;
  #allChanged = 0;
  readonly #changed = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  moment(): Moment {
    return { at: this.#now(), changes: this.#changes };
  }

  /** Whether a read that began then shows the object as we have left it. */
  isCurrent(id: string, { changes }: Moment): boolean {
    return changes >= this.#allChanged && changes >= (this.#changed.get(id) ?? 0);
  }

  /** The object, if it is known well enough. */
  get(id: string, age: Age): Row | undefined {
    const seen = this.#seen.get(id);
    if (!seen || age === "now" || age === "deleted") return undefined;
    const { row, youngUntil, isNews } = seen;
    if (age === "changed") seen.isNews = false;
    return age === "any" || (age === "young" ? this.#now() <= youngUntil : isNews) ? row : undefined;
  }

  /**
   * Keeps what a read has shown, unless we have changed it meanwhile; young for so long, if a list of all has shown it.
   */
  keep(rows: Rows, began: Moment, youngMs?: number): void {
    const more = youngMs === undefined ? {} : { youngUntil: began.at + youngMs };
    for (const [id, row] of rows) if (this.isCurrent(id, began)) this.#put(id, row, more);
  }

  /** The response to a change has shown the whole object. */
  show(id: string, row: Row): void {
    this.#put(id, row, { isNews: true });
  }

  /** We change the object, or something that all objects may depend on: what was read before this moment is old. */
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
