import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { EmulatorBug } from "../core/emulator-bug";
import { Refusal } from "../core/refusal";
import type { Snapshot } from "../core/snapshot";
import { type Rows, rowProblems } from "../core/snapshot-validation";
import type { Key, Row, Table, TableHooks } from "../core/store";
import type { World } from "../core/world";
import { schema } from "./form";
import { contents, DataFileError, inUse, type Kept, readData } from "./read";
import { isLocked, sqlite, transaction } from "./sqlite";

export { DataFileError, type Kept } from "./read";

/**
 * The file of the option `--data`, which stores an account. `commit` writes all changed rows in one transaction before
 * the server responds, so that acknowledged writes survive a crash.
 */
export class DataFile {
  readonly path: string;
  /** Contents of the file when it was opened; undefined for a new file. */
  readonly kept: Kept | undefined;
  /**
   * By table, the ids of the changed rows that are not written yet. `true` marks a row that was removed, even if a row
   * with the same id was inserted afterwards.
   */
  readonly #changes = new Map<string, Map<Key, boolean>>();
  /** How often the changes of a request had to be undone because they could not be written. */
  undone = 0;
  #open: Open | undefined;

  constructor(path: string) {
    this.path = path;
    this.kept = readData(path);
  }

  readonly changed: TableHooks["changed"] = (table, id, how) => {
    const rows = this.#changes.get(table) ?? new Map<Key, boolean>();
    this.#changes.set(table, rows);
    if (how === "removed") {
      // A row that is removed and inserted again is the newest of its table, so it moves to the end of the file.
      rows.delete(id);
      rows.set(id, true);
    } else if (!rows.has(id)) rows.set(id, false);
  };

  /** Starts to record changes. If the file does not exist, creates it with all current rows. */
  follow(world: World, put: (state: Snapshot) => void): void {
    const { kept, path } = this;
    if (kept) {
      for (const name of Object.keys(kept.state.tables)) this.#changes.delete(name);
      this.#open = open(path, world, put);
      return;
    }
    // A new file is first written under another name and then renamed, so that an incomplete file never has the final
    // name, even if the process is killed.
    const draft = `${path}.${process.pid}.new`;
    for (const name of [draft, `${draft}-wal`, `${draft}-shm`]) rmSync(name, { force: true });
    try {
      // The account contains private keys and passwords, so only the user can read the file. SQLite gives its
      // additional files the same mode.
      writeFileSync(draft, "", { mode: 0o600 });
      const made = open(draft, world, put, schema);
      made.write(this.#changes);
      made.db.close();
      if (existsSync(path)) throw new DataFileError(path, inUse);
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft, { force: true });
      if (error instanceof DataFileError) throw error;
      throw new DataFileError(path, `it cannot be created (${(error as Error).message}); use a file in another folder`);
    }
    this.#changes.clear();
    this.#open = open(path, world, put);
  }

  /**
   * Writes all recorded changes. If that fails, undoes them, so that clients never see changes that the file lacks.
   * After a request that only reads, the changes come from due tasks: they are not undone, but written with the next
   * commit.
   */
  commit({ isRead = false }: { isRead?: boolean } = {}): void {
    if (!this.#open) return;
    try {
      this.#open.write(this.#changes);
      this.#changes.clear();
    } catch (error) {
      if (isRead) return;
      this.#open.undo();
      this.#changes.clear();
      this.undone++;
      if (error instanceof EmulatorBug) throw error;
      throw new Refusal(
        500,
        `The change was undone: it could not be written to ${this.path}: ${(error as Error).message}`,
      );
    }
  }

  /** Deletes a new file after a failed start of the emulator. */
  discard(): void {
    const made = this.#open !== undefined && this.kept === undefined;
    this.#open?.db.close();
    this.#open = undefined;
    if (made) for (const end of ["", "-wal", "-shm"]) rmSync(`${this.path}${end}`, { force: true });
  }

  close(): void {
    if (!this.#open) return;
    this.commit();
    this.#open.db.close();
    this.#open = undefined;
  }
}

interface Open {
  db: DatabaseSync;
  write(changes: Changed): void;
  /** Restores the state from the file, without changing the clock. */
  undo(): void;
}
type Changed = ReadonlyMap<string, ReadonlyMap<Key, boolean>>;

/** Opens the file exclusively. The operating system releases the lock even if the process is killed. */
function open(path: string, world: World, put: (state: Snapshot) => void, first = ""): Open {
  const { DatabaseSync } = sqlite();
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    db.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${first}`);
    transaction(db, () => undefined);
    return { db, write: writer(db, world), undo: () => put(contents(db).state) };
  } catch (error) {
    db.close();
    throw isLocked(error) ? new DataFileError(path, inUse) : error;
  }
}

function writer(db: DatabaseSync, world: World): Open["write"] {
  const set = db.prepare("INSERT INTO account VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value");
  const put = db.prepare(
    "INSERT INTO rows (tbl, id, row) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET row = excluded.row",
  );
  const remove = db.prepare("DELETE FROM rows WHERE tbl = ? AND id = ?");
  let written: readonly (readonly [name: string, value: string])[] = [];
  return (changes) => {
    const values = valuesOf(world);
    const fresh = values.filter(([, value], at) => written[at]?.[1] !== value);
    if (changes.size === 0 && fresh.length === 0) return;
    transaction(db, () => {
      for (const [name, value] of fresh) set.run(name, value);
      for (const [name, rows] of changes) {
        const table = world.tables.get(name);
        for (const [id, removed] of rows) {
          const row = table?.find(id);
          if (table && row) refuseUnreadable(world, table, row);
          if (removed) remove.run(name, id);
          if (row) put.run(name, id, JSON.stringify(row));
        }
      }
    });
    written = values;
  };
}

/** Throws an error instead of writing a row that would be rejected when the file is loaded. */
function refuseUnreadable(world: World, table: Table<Row>, row: Readonly<Row>): void {
  const rowsOf = (name: string) => ({ has: (id: Key) => world.tables.get(name)?.find(id) !== undefined });
  const [problem] = rowProblems(world, table, row as Rows[number], rowsOf);
  if (problem)
    throw new EmulatorBug(
      `the emulator tried to store a row that it would reject at its next start: ${table.name} ${row.id}: ${problem.join(": ")}`,
    );
}

/** The state outside the rows of tables, by name: the seed, the random generator, the clock and the next ids. */
const valuesOf = ({ seed, random, clock, tables }: World): [name: string, value: string][] => [
  ["seed", String(seed)],
  ["random", String(random.state)],
  ["clock", JSON.stringify(clock.kept)],
  ["next", JSON.stringify(Object.fromEntries([...tables].map(([name, { next }]) => [name, next])))],
];
