import DataLoader from "dataloader";
import { ApiError, CancelledError } from "./errors";
import { weightOf } from "./json";
import { type Age, MOST_BYTES, type Moment, Observations, type Row, type Rows } from "./observations";
import { PAGE_SIZE } from "./pages";
import type { Time } from "./time";

/** When the reader stops waiting, by this machine's clock. If omitted, the client's own timeout applies. */
type Deadline = number | undefined;

/** How objects are read: one by one or, if it returns the same fields, with a list operation. */
export interface Source {
  one(id: unknown, deadline: Deadline): Promise<Row | undefined>;
  list?: List;
}

interface List {
  /** The field that identifies an entry. */
  key: string;
  filterable: boolean;
  page(page: number, deadline: Deadline, filter?: Row): Promise<{ data: Row[]; pages: number }>;
}

/** After this many views of single objects of a collection, one list replaces further views. */
const FEW = 2;
/** Maximum age in milliseconds up to which an object from a list is not read again. */
const YOUNG_MS = 5_000;
/** The result of a slow list counts as young for ten times as long as the list took. */
const YOUNG_READS = 10;
const PAGES_AT_ONCE = 4;

/** An object that a reader requests. */
interface Wanted {
  id: unknown;
  deadline: Deadline;
}

/** A shared call continues until the last of its callers has cancelled it. */
const latest = (wanted: readonly Wanted[]): Deadline =>
  wanted.some(({ deadline }) => deadline === undefined)
    ? undefined
    : Math.max(...wanted.map(({ deadline = 0 }) => deadline));

/** Combines the reads of one collection, and caches their results. */
export class Collection {
  readonly #source: Source;
  readonly #seen: Observations;
  readonly #fresh = new DataLoader((all: readonly Wanted[]) => this.#read(all, "now"), { cache: false });
  readonly #relaxed = new DataLoader((all: readonly Wanted[]) => this.#read(all, "young"), { cache: false });
  readonly #deleted = new DataLoader((all: readonly Wanted[]) => this.#read(all, "deleted"), { cache: false });
  #whole: { rows: Promise<Rows>; began: Moment } | undefined;
  /** Reads since the whole collection was last read, and the number of pages of the collection. */
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

  /** Records that we are changing the object or, without an id, something that all objects may depend on. */
  change(id?: unknown): void {
    this.#seen.change(id === undefined ? undefined : String(id));
  }

  /** Records that the response to a change contained the whole object. */
  show(id: unknown, row: Row): void {
    this.#seen.show(String(id), row);
  }

  /** Returns the results of reads that were requested at the same moment, each with its own error. */
  async #read(all: readonly Wanted[], age: "now" | "young" | "deleted"): Promise<(Row | Error | undefined)[]> {
    const began = this.#seen.moment();
    const ids = new Map(all.map(({ id }) => [String(id), id]));
    const deadline = latest(all);
    const { rows, isWhole } = await this.#listed(ids, age === "young", deadline);
    // An object that the list does not contain may be deleted or may have moved between two pages, so it is read separately.
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
   * The objects that a list returns at a lower cost than single views; `isWhole` if one page of the list contains them
   * all.
   */
  async #listed(
    ids: ReadonlyMap<string, unknown>,
    relaxed: boolean,
    deadline: Deadline,
  ): Promise<{ rows: Rows; isWhole: boolean }> {
    const { list } = this.#source;
    if (relaxed) this.#reads += ids.size;
    // A large collection is read as a whole only after as many single reads as it has pages.
    const isEarned = this.#reads > Math.max(FEW, this.#pages);
    const takesAll = relaxed && (isEarned || this.#underWay(ids) !== undefined);
    if (!list || (ids.size === 1 && !takesAll)) return { rows: new Map(), isWhole: false };
    try {
      const rows = takesAll ? await this.#all(list, ids, deadline) : await this.#some(list, ids, deadline);
      return { rows, isWhole: list.filterable || this.#pages === 1 };
    } catch (error) {
      // A token may be able to view an object but not to list the collection, or the caller that started the list had
      // an earlier deadline.
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
        // The objects that callers wait for are usually the newest.
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

  /** The whole collection, read once for all callers that request it at the same time. */
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

  /** A list that started after our last change of these objects. */
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
    // The remaining objects are read one by one.
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
