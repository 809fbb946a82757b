import DataLoader from "dataloader";
import { ApiError, CancelledError } from "./errors";
import { memoryOf } from "./json";
import { type Age, MAX_BYTES, Observations, RECENT_MS, type ReadStart, type Row, type Rows } from "./observations";
import { PAGE_SIZE } from "./pages";
import type { Time } from "./time";

/**
 * Time at which the caller stops waiting for the object, by this machine's clock. If undefined, the client's default
 * timeout applies.
 */
type Deadline = number | undefined;

/** Reads objects: `readOne` reads one, `list` all. `list` is omitted if list responses lack some of the fields. */
export interface Source {
  readOne(id: unknown, deadline: Deadline): Promise<Row | undefined>;
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
const MAX_SINGLE_READS = 2;
/**
 * If reading a list takes long, its objects are cached longer: for this many times the duration of the read. For
 * example, a read of 2 seconds is cached for 20 seconds.
 */
const RECENT_READS = 10;
const PARALLEL_PAGES = 4;

interface ReadRequest {
  id: unknown;
  deadline: Deadline;
}

/** The latest deadline of several callers, so that a read that they share continues until the last of them gives up. */
const latestDeadline = (requests: readonly ReadRequest[]): Deadline =>
  requests.some(({ deadline }) => deadline === undefined)
    ? undefined
    : Math.max(...requests.map(({ deadline = 0 }) => deadline));

/** Combines simultaneous reads of objects in one collection, and caches the results. */
export class Collection {
  readonly #source: Source;
  readonly #observations: Observations;
  readonly #current = new DataLoader((all: readonly ReadRequest[]) => this.#read(all, "now"), { cache: false });
  readonly #recent = new DataLoader((all: readonly ReadRequest[]) => this.#read(all, "recent"), { cache: false });
  readonly #deleted = new DataLoader((all: readonly ReadRequest[]) => this.#read(all, "deleted"), { cache: false });
  #whole: { rows: Promise<Rows>; startedAt: ReadStart } | undefined;
  /**
   * Number of objects requested since the whole collection was last read. If it exceeds the number of pages, `#pages`,
   * reading all pages takes fewer requests.
   */
  #reads = 0;
  #pages = 1;

  constructor(source: Source, { now }: Pick<Time, "now">) {
    this.#source = source;
    this.#observations = new Observations(now);
  }

  view(id: unknown, age: Age, deadline?: number): Promise<Row | undefined> {
    const row = this.#observations.get(String(id), age);
    if (row) return Promise.resolve(row);
    if (age === "deleted") return this.#deleted.load({ id, deadline });
    return (age === "now" || age === "changed" ? this.#current : this.#recent).load({ id, deadline });
  }

  /** Marks the cached object as outdated, because this process is changing it. Without an id, marks all objects. */
  change(id?: unknown): void {
    this.#observations.change(id === undefined ? undefined : String(id));
  }

  /** Removes an object from the cache after this process has deleted the object, to free memory. */
  forget(id: string): void {
    this.#observations.forget(id);
  }

  /** Caches the complete object from the response to a change. */
  storeChanged(id: unknown, row: Row): void {
    this.#observations.storeChanged(String(id), row);
  }

  /** Reads the objects that were requested at the same moment. Each result is an object, undefined or an error. */
  #read = (all: readonly ReadRequest[], age: "now" | "recent" | "deleted"): Promise<(Row | Error | undefined)[]> =>
    this.#observations.track(() => this.#readAt(all, age));

  async #readAt(all: readonly ReadRequest[], age: "now" | "recent" | "deleted"): Promise<(Row | Error | undefined)[]> {
    const startedAt = this.#observations.startRead();
    const ids = new Map(all.map(({ id }) => [String(id), id]));
    const deadline = latestDeadline(all);
    const { rows, isComplete } = await this.#readListed(ids, age === "recent", deadline);
    // An object that is missing in the list is read separately, because it may have moved between two pages during the
    // read.
    const missing = age === "deleted" && isComplete ? [] : [...ids].filter(([id]) => !rows.has(id));
    const found = new Map<string, Row | Error | undefined>(rows);
    const read = async ([id, requestedId]: [string, unknown]) => {
      const row = await resultOrError(this.#source.readOne(requestedId, deadline));
      found.set(id, row);
      if (row && !(row instanceof Error)) this.#observations.store(new Map([[id, row]]), startedAt);
    };
    await Promise.all(missing.map(read));
    return all.map(({ id }) => found.get(String(id)));
  }

  /**
   * Reads objects with list requests, if that takes fewer requests than reading them one by one. If `isComplete` is
   * true, an object that is not in `rows` does not exist: the list has only one page or is filtered by id, so the
   * object cannot have moved between two pages during the read.
   */
  async #readListed(
    ids: ReadonlyMap<string, unknown>,
    acceptsRecent: boolean,
    deadline: Deadline,
  ): Promise<{ rows: Rows; isComplete: boolean }> {
    const { list } = this.#source;
    if (acceptsRecent) this.#reads += ids.size;
    // The whole collection is read only after as many reads of single objects as it has pages, so that reading all
    // pages saves requests.
    const isWorthwhile = this.#reads > Math.max(MAX_SINGLE_READS, this.#pages);
    const readsAll = acceptsRecent && (isWorthwhile || this.#inProgress(ids) !== undefined);
    if (!list || (ids.size === 1 && !readsAll)) return { rows: new Map(), isComplete: false };
    try {
      const rows = readsAll ? await this.#readWhole(list, ids, deadline) : await this.#readSome(list, ids, deadline);
      return { rows, isComplete: list.filterable || this.#pages === 1 };
    } catch (error) {
      // A list request can fail although requests for single objects succeed: the token may not be able to list the
      // collection, or an earlier caller with a shorter deadline sent the list request.
      if (error instanceof ApiError || error instanceof CancelledError) return { rows: new Map(), isComplete: false };
      throw error;
    }
  }

  async #readSome(list: List, ids: ReadonlyMap<string, unknown>, deadline: Deadline): Promise<Rows> {
    const startedAt = this.#observations.startRead();
    const rows: Rows = new Map();
    if (list.filterable) {
      const all = [...ids.values()];
      const chunks = Array.from({ length: Math.ceil(all.length / PAGE_SIZE) }, (_, i) =>
        all.slice(i * PAGE_SIZE, (i + 1) * PAGE_SIZE),
      );
      const filters = chunks.map((chunk) => ({ "+or": chunk.map((id) => ({ [list.key]: id })) }));
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
    this.#observations.store(rows, startedAt);
    return rows;
  }

  /** The whole collection. Callers that need it at the same time share one read. */
  async #readWhole(list: List, ids: ReadonlyMap<string, unknown>, deadline: Deadline): Promise<Rows> {
    const inProgress = this.#inProgress(ids);
    if (inProgress) return inProgress;
    const startedAt = this.#observations.startRead();
    const read = { rows: this.#readAll(list, startedAt, deadline), startedAt };
    this.#whole = read;
    return read.rows.finally(() => {
      if (this.#whole === read) this.#whole = undefined;
    });
  }

  /**
   * The read of the whole collection that is in progress. Undefined if it started before this process last changed one
   * of the given objects.
   */
  #inProgress(ids: ReadonlyMap<string, unknown>): Promise<Rows> | undefined {
    const read = this.#whole;
    return read && [...ids.keys()].every((id) => this.#observations.isCurrent(id, read.startedAt))
      ? read.rows
      : undefined;
  }

  async #readAll(list: List, startedAt: ReadStart, deadline: Deadline): Promise<Rows> {
    const reads = this.#reads;
    this.#reads = 0;
    const rows: Rows = new Map();
    const first = await list.page(1, deadline);
    index(list, first.data, rows);
    this.#pages = first.pages;
    let bytes = memoryOf(first.data);
    // If the collection has more pages than expected, only the first is read, and the remaining objects are read one by
    // one.
    const readsOnlyFirst = first.pages > Math.max(MAX_SINGLE_READS, reads);
    if (readsOnlyFirst) this.#reads += reads;
    const last = readsOnlyFirst ? 1 : first.pages;
    for (let page = 2; page <= last && bytes <= MAX_BYTES; page += PARALLEL_PAGES) {
      const numbers = Array.from({ length: Math.min(PARALLEL_PAGES, last - page + 1) }, (_, i) => page + i);
      for (const { data } of await Promise.all(numbers.map((number) => list.page(number, deadline)))) {
        bytes += memoryOf(data);
        index(list, data, rows);
      }
    }
    const recentMs = Math.max(RECENT_MS, RECENT_READS * (this.#observations.startRead().at - startedAt.at));
    this.#observations.store(rows, startedAt, recentMs);
    return rows;
  }
}

function index(list: List, data: readonly Row[], rows: Rows): void {
  for (const row of data) rows.set(String(row[list.key]), row);
}

const resultOrError = (read: Promise<Row | undefined>): Promise<Row | Error | undefined> =>
  read.catch((error) => (error instanceof Error ? error : new Error(String(error))));
