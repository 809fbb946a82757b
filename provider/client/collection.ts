import DataLoader from "dataloader";
import { ApiError, CancelledError } from "./errors";
import { weightOf } from "./json";
import { type Age, MOST_BYTES, type Moment, Observations, type Row, type Rows } from "./observations";
import { PAGE_SIZE } from "./pages";
import type { Time } from "./time";

/**
 * Time at which the caller stops waiting for the object, by this machine's clock. If undefined, the client's default
 * timeout applies.
 */
type Deadline = number | undefined;

/** Reads objects: `one` reads one, `list` reads all. `list` is omitted if list responses lack some of the fields. */
export interface Source {
  one(id: unknown, deadline: Deadline): Promise<Row | undefined>;
  list?: List;
}

interface List {
  /** The field by which entries of the list are identified. */
  key: string;
  filterable: boolean;
  page(page: number, deadline: Deadline, filter?: Row): Promise<{ data: Row[]; pages: number }>;
}

/**
 * Number of objects that are read one by one before the whole list is read instead, to save requests. For a list with
 * more pages than this, it is the number of pages.
 */
const FEW = 2;
/** Milliseconds for which an object from a list is cached, for callers that accept slightly outdated objects. */
const YOUNG_MS = 5_000;
/**
 * If reading a list takes long, its objects are cached longer: for this many times the duration of the read. For
 * example, a read of 2 seconds is cached for 20 seconds.
 */
const YOUNG_READS = 10;
const PAGES_AT_ONCE = 4;

interface Wanted {
  id: unknown;
  deadline: Deadline;
}

/** The latest deadline of several callers, so that a read that they share continues until the last of them gives up. */
const latest = (wanted: readonly Wanted[]): Deadline =>
  wanted.some(({ deadline }) => deadline === undefined)
    ? undefined
    : Math.max(...wanted.map(({ deadline = 0 }) => deadline));

/** Combines simultaneous reads of objects in one collection, and caches the results. */
export class Collection {
  readonly #source: Source;
  readonly #seen: Observations;
  readonly #fresh = new DataLoader((all: readonly Wanted[]) => this.#read(all, "now"), { cache: false });
  readonly #relaxed = new DataLoader((all: readonly Wanted[]) => this.#read(all, "young"), { cache: false });
  readonly #deleted = new DataLoader((all: readonly Wanted[]) => this.#read(all, "deleted"), { cache: false });
  #whole: { rows: Promise<Rows>; began: Moment } | undefined;
  /**
   * Number of objects requested since the whole collection was last read. If it exceeds the number of pages, `#pages`,
   * reading all pages takes fewer requests.
   */
  #reads = 0;
  #pages = 1;

  constructor(source: Source, { now }: Pick<Time, "now">) {
    this.#source = source;
    this.#seen = new Observations(now);
  }

  view(id: unknown, age: Age, deadline?: number): Promise<Row | undefined> {
    const row = this.#seen.get(String(id), age);
    if (row) return Promise.resolve(row);
    if (age === "deleted") return this.#deleted.load({ id, deadline });
    return (age === "young" || age === "any" ? this.#relaxed : this.#fresh).load({ id, deadline });
  }

  /** Marks the cached object as outdated, because this process is changing it. Without an id, marks all objects. */
  change(id?: unknown): void {
    this.#seen.change(id === undefined ? undefined : String(id));
  }

  /** Removes an object from the cache after this process has deleted the object, to free memory. */
  forget(id: string): void {
    this.#seen.forget(id);
  }

  /** Caches the complete object from the response to a change. */
  show(id: unknown, row: Row): void {
    this.#seen.show(String(id), row);
  }

  /** Reads the objects that were requested at the same moment. Each result is an object, undefined or an error. */
  #read = (all: readonly Wanted[], age: "now" | "young" | "deleted"): Promise<(Row | Error | undefined)[]> =>
    this.#seen.during(() => this.#readAt(all, age));

  async #readAt(all: readonly Wanted[], age: "now" | "young" | "deleted"): Promise<(Row | Error | undefined)[]> {
    const began = this.#seen.moment();
    const ids = new Map(all.map(({ id }) => [String(id), id]));
    const deadline = latest(all);
    const { rows, isWhole } = await this.#listed(ids, age === "young", deadline);
    // An object that is missing in the list is read separately, because it may have moved between two pages during the
    // read.
    const alone = age === "deleted" && isWhole ? [] : [...ids].filter(([id]) => !rows.has(id));
    const found = new Map<string, Row | Error | undefined>(rows);
    const read = async ([id, given]: [string, unknown]) => {
      const row = await settled(this.#source.one(given, deadline));
      found.set(id, row);
      if (row && !(row instanceof Error)) this.#seen.keep(new Map([[id, row]]), began);
    };
    await Promise.all(alone.map(read));
    return all.map(({ id }) => found.get(String(id)));
  }

  /**
   * Reads objects with list requests, if that takes fewer requests than reading them one by one. If `isWhole` is true,
   * an object that is not in `rows` does not exist: the list has only one page or is filtered by id, so the object
   * cannot have moved between two pages during the read.
   */
  async #listed(
    ids: ReadonlyMap<string, unknown>,
    relaxed: boolean,
    deadline: Deadline,
  ): Promise<{ rows: Rows; isWhole: boolean }> {
    const { list } = this.#source;
    if (relaxed) this.#reads += ids.size;
    // The whole collection is read only after as many reads of single objects as it has pages, so that reading all
    // pages saves requests.
    const isEarned = this.#reads > Math.max(FEW, this.#pages);
    const takesAll = relaxed && (isEarned || this.#underWay(ids) !== undefined);
    if (!list || (ids.size === 1 && !takesAll)) return { rows: new Map(), isWhole: false };
    try {
      const rows = takesAll ? await this.#all(list, ids, deadline) : await this.#some(list, ids, deadline);
      return { rows, isWhole: list.filterable || this.#pages === 1 };
    } catch (error) {
      // A list request can fail although requests for single objects succeed: the token may not be able to list the
      // collection, or an earlier caller with a shorter deadline sent the list request.
      if (error instanceof ApiError || error instanceof CancelledError) return { rows: new Map(), isWhole: false };
      throw error;
    }
  }

  async #some(list: List, ids: ReadonlyMap<string, unknown>, deadline: Deadline): Promise<Rows> {
    const began = this.#seen.moment();
    const rows: Rows = new Map();
    if (list.filterable) {
      const all = [...ids.values()];
      const parts = Array.from({ length: Math.ceil(all.length / PAGE_SIZE) }, (_, i) =>
        all.slice(i * PAGE_SIZE, (i + 1) * PAGE_SIZE),
      );
      const filters = parts.map((part) => ({ "+or": part.map((id) => ({ [list.key]: id })) }));
      const pages = await Promise.all(filters.map((filter) => list.page(1, deadline, filter)));
      for (const { data } of pages) index(list, data, rows);
    } else {
      let missing = ids.size;
      for (let page = 1, left = 0; page === 1 || (left > 0 && left < missing); page++) {
        // The newest entries come first: callers usually wait for new objects, so the first page contains them.
        const newestFirst = { "+order_by": list.key, "+order": "desc" };
        const { data, pages } = await list.page(page, deadline, list.key === "id" ? newestFirst : undefined);
        index(list, data, rows);
        missing = [...ids.keys()].filter((id) => !rows.has(id)).length;
        this.#pages = pages;
        left = pages - page;
      }
    }
    this.#seen.keep(rows, began);
    return rows;
  }

  /** The whole collection. Callers that need it at the same time share one read. */
  async #all(list: List, ids: ReadonlyMap<string, unknown>, deadline: Deadline): Promise<Rows> {
    const underWay = this.#underWay(ids);
    if (underWay) return underWay;
    const began = this.#seen.moment();
    const whole = { rows: this.#readAll(list, began, deadline), began };
    this.#whole = whole;
    return whole.rows.finally(() => {
      if (this.#whole === whole) this.#whole = undefined;
    });
  }

  /**
   * The read of the whole collection that is in progress. Undefined if it started before this process last changed one
   * of the given objects.
   */
  #underWay(ids: ReadonlyMap<string, unknown>): Promise<Rows> | undefined {
    const whole = this.#whole;
    return whole && [...ids.keys()].every((id) => this.#seen.isCurrent(id, whole.began)) ? whole.rows : undefined;
  }

  async #readAll(list: List, began: Moment, deadline: Deadline): Promise<Rows> {
    const earned = this.#reads;
    this.#reads = 0;
    const rows: Rows = new Map();
    const first = await list.page(1, deadline);
    index(list, first.data, rows);
    this.#pages = first.pages;
    let weight = weightOf(first.data);
    // If the collection has more pages than expected, only the first is read, and the remaining objects are read one by
    // one.
    const last = first.pages > Math.max(FEW, earned) ? 1 : first.pages;
    for (let page = 2; page <= last && weight <= MOST_BYTES; page += PAGES_AT_ONCE) {
      const numbers = Array.from({ length: Math.min(PAGES_AT_ONCE, last - page + 1) }, (_, i) => page + i);
      for (const { data } of await Promise.all(numbers.map((number) => list.page(number, deadline)))) {
        weight += weightOf(data);
        index(list, data, rows);
      }
    }
    const youngMs = Math.max(YOUNG_MS, YOUNG_READS * (this.#seen.moment().at - began.at));
    this.#seen.keep(rows, began, youngMs);
    return rows;
  }
}

function index(list: List, data: readonly Row[], rows: Rows): void {
  for (const row of data) rows.set(String(row[list.key]), row);
}

const settled = (read: Promise<Row | undefined>): Promise<Row | Error | undefined> =>
  read.catch((error) => (error instanceof Error ? error : new Error(String(error))));
