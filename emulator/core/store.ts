import type { z } from "zod";
import { hash } from "./random";
import { notFound } from "./refusal";
import { RowIndex } from "./row-index";

export type Key = number | string;
export interface Row {
  readonly id: Key;
}

/** The argument of `insert`. The table sets numeric ids and both times if they are omitted. */
export type New<R extends Row> = Omit<R, "id" | "created" | "updated"> &
  Partial<Pick<R, Extract<keyof R, "created" | "updated">>> &
  (number extends R["id"] ? { id?: R["id"] } : { id: R["id"] });

/** The argument of `patch`. Absent and undefined fields keep their values. */
export type Changes<R extends Row> = { [F in Exclude<keyof R, "id">]?: R[F] | undefined };

/** The definition of a table. */
export interface TableSpec<R extends Row> {
  /** The initial rows. */
  rows: readonly R[];
  /** Fields that refer to rows of another table (`{ compute_id: "instances" }`), which a snapshot must contain. */
  refs?: { readonly [F in keyof R]?: string };
  /** Schema of a row, against which the rows of a snapshot are checked. */
  shape?: z.core.$ZodType;
  /** Adds the fields that a row from an older emulator's snapshot or data file lacks. */
  upgrade?: (row: OldRow) => Row;
}

/** A row that has not been validated. */
export type OldRow = Row & Readonly<Record<string, unknown>>;

/** Declares a table: `export const tables = { volumes: table<VolumeRow>([], { refs: { compute_id: "instances" } }) }`. */
export const table = <R extends Row>(rows: readonly R[] = [], more: Omit<TableSpec<R>, "rows"> = {}): TableSpec<R> => ({
  rows,
  ...more,
});

/** The row type of each table. Areas extend it, so that the core does not depend on them. */
// biome-ignore lint/suspicious/noEmptyInterface: only an interface can be added to from elsewhere.
export interface Tables {}

/** A row of a table: `RowOf<"volumes">` is what `world.volumes.get(id)` returns. */
export type RowOf<T extends keyof Tables> = Readonly<Tables[T]>;

/** A table as a snapshot holds it. */
export interface TableDump {
  next: number;
  rows: readonly Row[];
}

/** Callbacks for changes of a table. */
export interface TableHooks {
  time: () => string;
  /** Called after each write and removal. */
  changed: (table: string, id: Key, how: "written" | "removed") => void;
}

/** Number of cached views per table, because clients read a list page by page. */
const VIEWS = 8;

/**
 * Rows by id. Rows are plain JSON and frozen: every change is an `insert`, `patch` or `remove`, so that indexes are
 * always current. Each table starts its numeric ids at a different number, so that an id of another kind is not found.
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

  /** The row. Throws the service's 404 if it does not exist. */
  get(id: R["id"]): Readonly<R> {
    const row = this.#rows.get(id);
    if (!row) throw notFound();
    return row;
  }

  /** The row, or undefined if it does not exist. */
  find(id: R["id"] | null | undefined): Readonly<R> | undefined {
    return id == null ? undefined : this.#rows.get(id);
  }

  all(): readonly Readonly<R>[] {
    return this.view("all", () => [...this.#rows.values()]);
  }

  where(fits: (row: Readonly<R>) => boolean): readonly Readonly<R>[] {
    return this.all().filter(fits);
  }

  /** The rows whose field has the value, oldest first. The index for it is created on first use. */
  by<F extends keyof R & string>(field: F, value: R[F]): readonly Readonly<R>[] {
    return this.matching(field, value);
  }

  /** Like `by`, for any path into a row. A list at that path matches by each of its elements. */
  matching(path: string, value: unknown): readonly Readonly<R>[] {
    return this.idsBy(path, value).map((id) => this.#rows.get(id) as Readonly<R>);
  }

  /** The ids of `matching` without copying them. They are not valid after the next change. */
  idsBy(path: string, value: unknown): readonly Key[] {
    if (path === "id") return this.#rows.has(value as Key) ? [value as Key] : [];
    return this.#index(path).get(value);
  }

  /** A range of the rows, without copying the others. */
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

  /** Caches a list derived from the rows until one of them changes. */
  view(name: string, make: () => readonly Readonly<R>[]): readonly Readonly<R>[] {
    const cached = this.#views.get(name);
    if (cached) return cached;
    const made = make();
    if (this.#views.size >= VIEWS) this.#views.clear();
    this.#views.set(name, made);
    return made;
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
    const before = [...this.#rows.keys()];
    this.#rows.clear();
    this.#indexes.clear();
    this.#views.clear();
    this.#next = next;
    for (const id of before) this.#hooks.changed(this.name, id, "removed");
    for (const row of rows) this.#write(structuredClone(row) as R);
  }

  /** Stores a row. All changes of rows happen here. */
  #write(row: R): Readonly<R> {
    const before = this.#rows.get(row.id);
    // Ids can come from outside, such as another table or a snapshot. The next generated id must never overwrite such a
    // row.
    if (typeof row.id === "number" && row.id >= this.#next) this.#next = row.id + 1;
    this.#rows.set(row.id, frozen(row));
    this.#changed(row.id, before, row);
    return row;
  }

  #changed(id: Key, before: R | undefined, after: R | undefined): void {
    if (this.#views.size > 0) this.#views.clear();
    for (const index of this.#indexes.values()) index.move(id, before, after);
    this.#hooks.changed(this.name, id, after ? "written" : "removed");
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
 * A row with values from other tables. Returns the same frozen object as long as neither the row nor the values change.
 */
export function joined<R extends object, E extends object>(row: R, extra: E): Readonly<R & E> {
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
