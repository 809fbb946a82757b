import DataLoader from "dataloader";
import { ApiError, CancelledError } from "./errors";
import { weightOf } from "./json";
import { PAGE_SIZE } from "./pages";
import type { Time } from "./time";

export type Row = Record<string, unknown>;

/** When a reader gives up, by this machine's clock; absent, the client's own patience decides. */
type Deadline = number | undefined;

/** How objects are read: one by one and, where it shows the same, by a list. */
export interface Source {
  one(id: unknown, deadline: Deadline): Promise<Row | undefined>;
  list?: {
    /** The field that identifies an entry. */
    key: string;
    filterable: boolean;
    page(page: number, deadline: Deadline, filter?: Row): Promise<{ data: Row[]; pages: number }>;
  };
}

/** So many reads of one moment are views of their own; more are cheaper as a list. */
const FEW = 3;
/** After so many reads within a window the whole collection is read: a refresh is going on. */
const MANY = 8;
const WINDOW_MS = 5_000;
/** Age up to which a read of the whole collection serves further reads. */
const YOUNG_MS = 5_000;
const PAGES_AT_ONCE = 4;
/** Ten thousand objects take less. */
const MOST_BYTES = 20_000_000;

type Rows = Map<string, Row>;

/** An object that somebody wants to see. */
interface Wanted {
  id: unknown;
  deadline: Deadline;
}

/** A call that several share goes on until the last of them gives up. */
const latest = (wanted: readonly Wanted[]): Deadline =>
  wanted.some(({ deadline }) => deadline === undefined)
    ? undefined
    : Math.max(...wanted.map(({ deadline = 0 }) => deadline));

/** The reads of one collection, put together. */
export class Collection {
  readonly #source: Source;
  readonly #now: () => number;
  readonly #fresh = new DataLoader((all: readonly Wanted[]) => this.#read(all, false), { cache: false });
  readonly #relaxed = new DataLoader((all: readonly Wanted[]) => this.#read(all, true), { cache: false });
  #snapshot: { rows: Rows; at: number } | undefined;
  #whole: Promise<Rows> | undefined;
  /** Counts our changes: what was read before one must not serve a read after it. */
  #changes = 0;
  #windowFrom = 0;
  #reads = 0;
  #pages = 1;

  constructor(source: Source, { now }: Pick<Time, "now">) {
    this.#source = source;
    this.#now = now;
  }

  view(id: unknown, fresh: boolean, deadline?: number): Promise<Row | undefined> {
    if (fresh) return this.#fresh.load({ id, deadline });
    this.#count();
    const known = this.#young()?.get(String(id));
    return known ? Promise.resolve(known) : this.#relaxed.load({ id, deadline });
  }

  forget(): void {
    this.#changes++;
    this.#snapshot = undefined;
    this.#whole = undefined;
  }

  #count(): void {
    if (this.#now() - this.#windowFrom > WINDOW_MS) {
      this.#windowFrom = this.#now();
      this.#reads = 0;
    }
    this.#reads++;
  }

  #young(): Rows | undefined {
    if (this.#snapshot && this.#now() - this.#snapshot.at > YOUNG_MS) this.#snapshot = undefined;
    return this.#snapshot?.rows;
  }

  /** Answers the reads of one moment, each with its own error. */
  async #read(all: readonly Wanted[], relaxed: boolean): Promise<(Row | Error | undefined)[]> {
    const ids = all.map(({ id }) => id);
    const deadline = latest(all);
    const wanted = new Set(ids.map(String));
    const rows = await this.#listed([...new Map(ids.map((id) => [String(id), id])).values()], relaxed, deadline);
    // What a list does not show may be gone, or have moved between two pages: only a look of its own can tell.
    const missing = new Map(
      [...wanted].filter((id) => !rows.has(id)).map((id) => [id, settled(this.#source.one(id, deadline))]),
    );
    return Promise.all(ids.map((id) => rows.get(String(id)) ?? missing.get(String(id))));
  }

  async #listed(ids: unknown[], relaxed: boolean, deadline: Deadline): Promise<Rows> {
    try {
      // Reading all of a large collection has to be earned by as many reads as it has pages.
      if (relaxed && this.#source.list && this.#reads > Math.max(MANY, this.#pages)) return await this.#all(deadline);
      return ids.length > FEW ? await this.#some(ids, deadline) : new Map();
    } catch (error) {
      // A token may be allowed to view what it may not list, and whoever began to read the list may have had less time.
      if (error instanceof ApiError || error instanceof CancelledError) return new Map();
      throw error;
    }
  }

  async #some(ids: readonly unknown[], deadline: Deadline): Promise<Rows> {
    const { list } = this.#source;
    if (!list) return new Map();
    if (list.filterable) {
      const chunks = Array.from({ length: Math.ceil(ids.length / PAGE_SIZE) }, (_, i) =>
        ids.slice(i * PAGE_SIZE, (i + 1) * PAGE_SIZE),
      );
      const pages = await Promise.all(
        chunks.map((part) => list.page(1, deadline, { "+or": part.map((id) => ({ [list.key]: id })) })),
      );
      return this.#index(pages.flatMap(({ data }) => data));
    }
    const missing = new Set(ids.map(String));
    const rows: Rows = new Map();
    for (let page = 1, left = 0; page === 1 || (left > 0 && left < missing.size); page++) {
      const { data, pages } = await list.page(page, deadline);
      for (const [id, row] of this.#index(data)) {
        rows.set(id, row);
        missing.delete(id);
      }
      this.#pages = pages;
      left = pages - page;
    }
    return rows;
  }

  /** The whole collection, read once for all who want it at the same time. */
  #all(deadline: Deadline): Promise<Rows> {
    const snapshot = this.#young();
    if (snapshot) return Promise.resolve(snapshot);
    const whole = this.#whole ?? this.#readAll(deadline);
    this.#whole = whole;
    const done = () => {
      if (this.#whole === whole) this.#whole = undefined;
    };
    whole.then(done, done);
    return whole;
  }

  async #readAll(deadline: Deadline): Promise<Rows> {
    const { list } = this.#source;
    if (!list) return new Map();
    const changes = this.#changes;
    const earned = Math.max(MANY, this.#reads);
    this.#reads = 0;
    const first = await list.page(1, deadline);
    const rows = this.#index(first.data);
    this.#pages = first.pages;
    if (first.pages > earned) return rows;
    let weight = weightOf(first.data);
    for (let page = 2; page <= first.pages; page += PAGES_AT_ONCE) {
      // What is not read here is viewed by itself.
      if (weight > MOST_BYTES) return rows;
      const numbers = Array.from({ length: Math.min(PAGES_AT_ONCE, first.pages - page + 1) }, (_, i) => page + i);
      for (const { data } of await Promise.all(numbers.map((number) => list.page(number, deadline)))) {
        weight += weightOf(data);
        for (const [id, row] of this.#index(data)) rows.set(id, row);
      }
    }
    if (changes === this.#changes) this.#snapshot = { rows, at: this.#now() };
    return rows;
  }

  #index(data: readonly Row[]): Rows {
    const key = this.#source.list?.key ?? "id";
    return new Map(data.map((row) => [String(row[key]), row]));
  }
}

const settled = (read: Promise<Row | undefined>): Promise<Row | Error | undefined> =>
  read.catch((error) => (error instanceof Error ? error : new Error(String(error))));
