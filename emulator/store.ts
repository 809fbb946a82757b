import { hash } from "./random";
import { notFound } from "./refusal";

export type Key = number | string;
export interface Row {
  readonly id: Key;
}

/** What `insert` takes: ids that are numbers and the two times are given by the table unless stated. */
export type New<R extends Row> = Omit<R, "id" | "created" | "updated"> &
  Partial<Pick<R, Extract<keyof R, "created" | "updated">>> &
  (number extends R["id"] ? { id?: R["id"] } : { id: R["id"] });

/** What `patch` takes: absent and undefined fields stay as they are. */
export type Changes<R extends Row> = { [F in Exclude<keyof R, "id">]?: R[F] | undefined };

/** What an area says of a table: its row type and the rows that are there from the start. */
export interface TableSpec<R extends Row> {
  rows: readonly R[];
}

/** Declares a table: `export const tables = { volumes: table<VolumeRow>() }`. */
export const table = <R extends Row>(rows: readonly R[] = []): TableSpec<R> => ({ rows });

export type TableOf<S> = S extends TableSpec<infer R> ? Table<R> : never;

/** A table as a snapshot holds it. */
export interface TableDump {
  next: number;
  rows: readonly Row[];
}

/**
 * Rows by id. Rows are plain JSON and frozen: each change is an `insert`, `patch` or `remove`, so that indexes hold and
 * one place sees every change. Ids of numbers start at a place of the table's own, so that an id of one kind taken for
 * another's is not found.
 */
export class Table<R extends Row> {
  readonly name: string;
  readonly #time: () => string;
  readonly #changed: () => void;
  readonly #rows = new Map<Key, Readonly<R>>();
  readonly #indexes = new Map<keyof R, Map<unknown, Set<Key>>>();
  #list: readonly Readonly<R>[] | undefined;
  #next: number;

  constructor(name: string, seed: number, { time, changed }: { time: () => string; changed: () => void }) {
    this.name = name;
    this.#time = time;
    this.#changed = changed;
    this.#next = 100_000 + (hash(`${seed}/${name}`) % 900_000);
  }

  get size(): number {
    return this.#rows.size;
  }

  /** The row, or the service's 404. */
  get(id: R["id"]): Readonly<R> {
    const row = this.#rows.get(id);
    if (!row) throw notFound();
    return row;
  }

  /** The row, if there is one. */
  find(id: R["id"] | null | undefined): Readonly<R> | undefined {
    return id == null ? undefined : this.#rows.get(id);
  }

  all(): readonly Readonly<R>[] {
    this.#list ??= [...this.#rows.values()];
    return this.#list;
  }

  where(fits: (row: Readonly<R>) => boolean): readonly Readonly<R>[] {
    return this.all().filter(fits);
  }

  /** The rows whose field has the value, by an index that is made on first use. Oldest first. */
  by<F extends keyof R>(field: F, value: R[F]): readonly Readonly<R>[] {
    const ids = [...(this.#index(field).get(value) ?? [])];
    if (ids.length > 1) ids.sort((a, b) => (a < b ? -1 : 1));
    return ids.map((id) => this.#rows.get(id) as Readonly<R>);
  }

  insert(row: New<R>): Readonly<R> {
    const now = this.#time();
    return this.#write({ created: now, updated: now, ...row, id: row.id ?? this.#next++ } as unknown as R);
  }

  patch(id: R["id"], changes: Changes<R>): Readonly<R> {
    const stated = Object.entries(changes).filter(([, value]) => value !== undefined);
    return this.#write({ ...this.get(id), updated: this.#time(), ...Object.fromEntries(stated) });
  }

  remove(id: R["id"]): Readonly<R> {
    const row = this.get(id);
    this.#rows.delete(id);
    this.#list = undefined;
    this.#reindex(row, undefined);
    this.#changed();
    return row;
  }

  dump(): TableDump {
    return { next: this.#next, rows: this.all() };
  }

  load({ next, rows }: TableDump): void {
    this.#rows.clear();
    this.#indexes.clear();
    this.#list = undefined;
    this.#next = next;
    for (const row of rows) this.#write(structuredClone(row) as R);
  }

  /** Puts the rows that are there from the start. */
  seed(rows: readonly R[]): void {
    for (const row of rows) this.#write(row);
  }

  /** The one place where a row comes to be what it is. */
  #write(row: R): Readonly<R> {
    const before = this.#rows.get(row.id);
    this.#rows.set(row.id, frozen(row));
    this.#list = undefined;
    this.#reindex(before, row);
    this.#changed();
    return row;
  }

  #index(field: keyof R): Map<unknown, Set<Key>> {
    const known = this.#indexes.get(field);
    if (known) return known;
    const index = new Map<unknown, Set<Key>>();
    for (const row of this.#rows.values()) entry(index, row[field]).add(row.id);
    this.#indexes.set(field, index);
    return index;
  }

  #reindex(before: R | undefined, after: R | undefined): void {
    for (const [field, index] of this.#indexes) {
      if (before && after && before[field] === after[field]) continue;
      if (before) {
        const ids = entry(index, before[field]);
        ids.delete(before.id);
        if (ids.size === 0) index.delete(before[field]);
      }
      if (after) entry(index, after[field]).add(after.id);
    }
  }
}

function entry(index: Map<unknown, Set<Key>>, value: unknown): Set<Key> {
  const known = index.get(value);
  if (known) return known;
  const ids = new Set<Key>();
  index.set(value, ids);
  return ids;
}

function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
