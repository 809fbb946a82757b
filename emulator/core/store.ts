import type { z } from "zod";
import { notFound } from "./error-response";
import { hash } from "./random";

export type Key = number | string;
export interface Row {
  readonly id: Key;
}

/** The fields of a new row. The table sets a numeric id and both times if they are omitted. */
export type New<R extends Row> = Omit<R, "id" | "created" | "updated"> &
  Partial<Pick<R, Extract<keyof R, "created" | "updated">>> &
  (number extends R["id"] ? { id?: R["id"] } : { id: R["id"] });

/** The changed fields of a row. Fields that are omitted or undefined keep their values. */
export type Changes<R extends Row> = { [F in Exclude<keyof R, "id">]?: R[F] | undefined };

export interface TableSpec<R extends Row> {
  /** Rows that the table contains in a new account, for example all regions. */
  rows: readonly R[];
  /**
   * Fields that refer to rows of another table, such as `{ compute_id: "instances" }`. A snapshot must contain the rows
   * that they refer to.
   */
  refs?: { readonly [F in keyof R]?: string };
  /** Schema of a row, by which the rows of snapshots are validated. */
  shape?: z.core.$ZodType;
  /** Adds the fields that are missing in rows from snapshots and data files of older versions. */
  upgrade?: (row: OldRow) => Row;
}

/** A row that has not been validated. */
export type OldRow = Row & Readonly<Record<string, unknown>>;

/** Declares a table: `export const tables = { volumes: table<VolumeRow>([], { refs: { compute_id: "instances" } }) }`. */
export const table = <R extends Row>(rows: readonly R[] = [], more: Omit<TableSpec<R>, "rows"> = {}): TableSpec<R> => ({
  rows,
  ...more,
});

/**
 * The row type of each table. `areas/index.ts` adds the tables by declaration merging, so that this file does not
 * depend on it.
 */
// biome-ignore lint/suspicious/noEmptyInterface: only an interface can be added to from elsewhere.
export interface Tables {}

/** The row type of a table. `world.volumes.get(id)` returns a `RowOf<"volumes">`. */
export type RowOf<T extends keyof Tables> = Readonly<Tables[T]>;

export interface TableDump {
  next: number;
  rows: readonly Row[];
}

export interface TableHooks {
  time: () => string;
  /** Called after each write and removal. `before` is the row before the change, undefined for a new row. */
  changed: (table: string, id: Key, how: "written" | "removed", before?: Row) => void;
}

/** Maximum number of cached lists per table. A few are enough for clients that read a list page by page. */
const VIEWS = 8;

/**
 * A table: rows by id. Rows are plain JSON and frozen, and change only through `insert`, `patch` and `remove`, so that
 * indexes are always current. Each table starts its numeric ids at a different number, so that an id of another table
 * is not found.
 */
export class Table<R extends Row> {
  readonly name: string;
  readonly spec: TableSpec<R>;
  readonly #hooks: TableHooks;
  readonly #rows = new Map<Key, Readonly<R>>();
  readonly #indexes = new Map<string, RowIndex>();
  readonly #views = new Map<string, readonly Readonly<R>[]>();
  #next: number;

  constructor(name: string, spec: TableSpec<R>, seed: number, hooks: TableHooks) {
    this.name = name;
    this.spec = spec;
    this.#hooks = hooks;
    this.#next = 100_000 + (hash(`${seed}/${name}`) % 900_000);
    for (const row of spec.rows) this.#write(row);
  }

  get size(): number {
    return this.#rows.size;
  }

  /** The id of the next row, if ids are numeric. */
  get next(): number {
    return this.#next;
  }

  /** The row with the given id. Throws a 404 if it does not exist. */
  get(id: R["id"]): Readonly<R> {
    const row = this.#rows.get(id);
    if (!row) throw notFound();
    return row;
  }

  /** The row with the given id, or undefined if it does not exist. */
  find(id: R["id"] | null | undefined): Readonly<R> | undefined {
    return id == null ? undefined : this.#rows.get(id);
  }

  all(): readonly Readonly<R>[] {
    return this.view("all", () => [...this.#rows.values()]);
  }

  where(matches: (row: Readonly<R>) => boolean): readonly Readonly<R>[] {
    return this.all().filter(matches);
  }

  /** The rows whose field has the value, oldest first. The index for the field is created on first use. */
  by<F extends keyof R & string>(field: F, value: R[F]): readonly Readonly<R>[] {
    return this.matching(field, value);
  }

  /**
   * The rows that have the value at a path, oldest first. A row with a list at that path matches if the list contains
   * the value.
   */
  matching(path: string, value: unknown): readonly Readonly<R>[] {
    return this.idsBy(path, value).map((id) => this.#rows.get(id) as Readonly<R>);
  }

  /**
   * The ids of the rows that `matching` returns. The list is valid only until the next change of a row, because it is
   * not copied from the index.
   */
  idsBy(path: string, value: unknown): readonly Key[] {
    if (path === "id") return this.#rows.has(value as Key) ? [value as Key] : [];
    return this.#index(path).get(value);
  }

  /** The rows at the given positions. Does not copy the rest of the table, which can be large. */
  slice(from: number, to: number): Readonly<R>[] {
    const cached = this.#views.get("all");
    if (cached) return cached.slice(from, to);
    const part: Readonly<R>[] = [];
    let at = 0;
    for (const row of this.#rows.values()) {
      if (at >= to) break;
      if (at++ >= from) part.push(row);
    }
    return part;
  }

  /** A list that is derived from the rows. It is cached until a row changes. */
  view(name: string, make: () => readonly Readonly<R>[]): readonly Readonly<R>[] {
    const cached = this.#views.get(name);
    if (cached) return cached;
    const value = make();
    if (this.#views.size >= VIEWS) this.#views.clear();
    this.#views.set(name, value);
    return value;
  }

  insert(row: New<R>): Readonly<R> {
    const now = this.#hooks.time();
    return this.#write({ created: now, updated: now, ...row, id: row.id ?? this.#next++ } as unknown as R);
  }

  patch(id: R["id"], changes: Changes<R>): Readonly<R> {
    const row: Record<string, unknown> = { ...this.get(id), updated: this.#hooks.time() };
    for (const [field, value] of Object.entries(changes)) if (value !== undefined) row[field] = value;
    return this.#write(row as unknown as R);
  }

  remove(id: R["id"]): Readonly<R> {
    const row = this.get(id);
    this.#rows.delete(id);
    this.#changed(id, row, undefined);
    return row;
  }

  dump(): TableDump {
    return { next: this.#next, rows: this.all() };
  }

  load({ next, rows }: TableDump): void {
    const before = [...this.#rows.values()];
    this.#rows.clear();
    this.#indexes.clear();
    this.#views.clear();
    this.#next = next;
    for (const row of before) this.#hooks.changed(this.name, row.id, "removed", row);
    for (const row of rows) this.#write(structuredClone(row) as R);
  }

  /** Stores a row. All changes of rows happen here. */
  #write(row: R): Readonly<R> {
    const before = this.#rows.get(row.id);
    // The id may be one that this table did not generate, for example from a snapshot. The next generated id must be
    // higher, because it would overwrite such a row.
    if (typeof row.id === "number" && row.id >= this.#next) this.#next = row.id + 1;
    this.#rows.set(row.id, frozen(row));
    this.#changed(row.id, before, row);
    return row;
  }

  #changed(id: Key, before: R | undefined, after: R | undefined): void {
    if (this.#views.size > 0) this.#views.clear();
    for (const index of this.#indexes.values()) index.move(id, before, after);
    this.#hooks.changed(this.name, id, after ? "written" : "removed", before);
  }

  #index(path: string): RowIndex {
    const cached = this.#indexes.get(path);
    if (cached) return cached;
    const index = new RowIndex(path);
    for (const row of this.#rows.values()) index.move(row.id, undefined, row);
    this.#indexes.set(path, index);
    return index;
  }
}

/**
 * A row with additional values from other tables, such as the label of an instance. Returns the same frozen object as
 * long as neither the row nor the values change.
 */
export function withFields<R extends object, E extends object>(row: R, extra: E): Readonly<R & E> {
  const last = records.get(row) as (R & E) | undefined;
  if (last && (Object.keys(extra) as (keyof E)[]).every((field) => last[field] === extra[field])) return last;
  const record = frozen({ ...row, ...extra });
  records.set(row, record);
  return record;
}
const records = new WeakMap<object, object>();

function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}

type Entry = Readonly<Record<string, unknown>>;

/**
 * The value of a row at a path such as `label` or `entity.id`. For a path through a list, such as `interfaces.label`,
 * the list of its elements' values.
 */
export const at = (row: Entry, path: string): unknown =>
  path in row || !path.includes(".") ? row[path] : path.split(".").reduce(inside, row);

const inside = (part: unknown, key: string): unknown =>
  Array.isArray(part) ? part.map((one) => inside(one, key)) : (part as Entry | null | undefined)?.[key];

/**
 * An index of a table by the value at a path. The index maps each value to the sorted ids of the rows, and a row with a
 * list is indexed by each element. A single id is stored without an array, because most labels are unique and their
 * index is as large as the table.
 */
class RowIndex {
  readonly #path: string;
  readonly #ids = new Map<unknown, Key | Key[]>();

  constructor(path: string) {
    this.#path = path;
  }

  get(value: unknown): readonly Key[] {
    const ids = this.#ids.get(value);
    return ids === undefined ? [] : Array.isArray(ids) ? ids : [ids];
  }

  /** Updates the index when a row changes. `before` is undefined for a new row, and `after` for a removed row. */
  move(id: Key, before: object | undefined, after: object | undefined): void {
    const oldKey = before && at(before as Entry, this.#path);
    const newKey = after && at(after as Entry, this.#path);
    if (before && after && oldKey === newKey) return;
    if (before) for (const value of each(oldKey)) this.#remove(value, id);
    if (after) for (const value of each(newKey)) this.#add(value, id);
  }

  #add(value: unknown, id: Key): void {
    const ids = this.#ids.get(value);
    if (ids === undefined) this.#ids.set(value, id);
    else if (Array.isArray(ids)) ids.splice(positionOf(ids, id), 0, id);
    else this.#ids.set(value, ids < id ? [ids, id] : [id, ids]);
  }

  #remove(value: unknown, id: Key): void {
    const ids = this.#ids.get(value);
    if (Array.isArray(ids) && ids.length > 1) ids.splice(positionOf(ids, id), 1);
    else this.#ids.delete(value);
  }
}

const each = (value: unknown): Iterable<unknown> => (Array.isArray(value) ? new Set(value) : [value]);

/**
 * The position of the id in a sorted list, or the position at which to insert it. The end is checked first, because new
 * ids are the greatest.
 */
function positionOf(ids: readonly Key[], id: Key): number {
  if ((ids[ids.length - 1] as Key) < id) return ids.length;
  let [low, high] = [0, ids.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] as Key) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
