import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { EmulatorBug } from "../core/emulator-bug";
import { ErrorResponse } from "../core/error-response";
import type { Snapshot } from "../core/snapshot";
import type { Key, TableHooks } from "../core/store";
import type { World } from "../core/world";
import { type Files, filesOf } from "./files";
import { contents, DataFileError, inUse, readData, type StoredData } from "./read";
import { damages, type Seal } from "./seal";
import { isLocked, sqlite, transactions } from "./sqlite";
import { type Begin, begin, type Change, fill, type Writing } from "./writing";

export { DataFileError, type StoredData as Kept } from "./read";

/**
 * The file of the option `--data`, which stores an account. `commit` writes all changed rows in one transaction before
 * the server responds, so that acknowledged writes survive a crash.
 */
export class DataFile {
  readonly path: string;
  /** Contents of the file when it was opened; undefined for a new file. */
  readonly stored: StoredData | undefined;
  /** By table, the ids of the changed rows that are not written yet. */
  readonly #changes = new Map<string, Map<Key, Change>>();
  readonly #begin: Begin;
  /** How often the changes of a request had to be undone because they could not be written. */
  undone = 0;
  #open: Open | undefined;

  constructor(path: string, how = begin) {
    this.path = path;
    this.#begin = how;
    this.stored = readData(path);
  }

  readonly changed: TableHooks["changed"] = (table, id, how) => {
    const rows = this.#changes.get(table) ?? new Map<Key, Change>();
    this.#changes.set(table, rows);
    const before = rows.get(id);
    // A row that is removed and inserted again is the newest of its table, so it moves to the end of the file.
    if (how === "removed" || before === "removed") rows.delete(id);
    if (how === "removed") rows.set(id, "removed");
    else if (before === "removed") rows.set(id, "replaced");
    else if (!before) rows.set(id, "written");
  };

  /** Starts to record changes. If the file does not exist, creates it with all current rows. */
  follow(world: World, put: (state: Snapshot) => void): void {
    const { stored, path } = this;
    const files = filesOf(path);
    let seal = stored?.seal;
    if (stored) for (const name of Object.keys(stored.state.tables)) this.#changes.delete(name);
    else {
      seal = create(path, world);
      this.#changes.clear();
    }
    try {
      const { db, used } = open(files.data, (db) => this.#begin(db, files, world, seal));
      const undo = (): void => {
        const { state, clock } = intactContents(db);
        put(state);
        world.clock.resume(clock);
      };
      this.#open = { db, writing: used, undo };
    } catch (error) {
      if (!stored) removeAll(files);
      if (error instanceof DataFileError) throw error;
      throw new DataFileError(path, `it cannot be written (${(error as Error).message})`);
    }
  }

  /**
   * Writes all recorded changes. If that fails, undoes them, so that clients never see changes that the file lacks.
   * After a request that only reads, the changes come from due tasks: they are not undone, but written with the next
   * commit.
   */
  commit({ isRead = false }: { isRead?: boolean } = {}): void {
    if (!this.#open) return;
    const { writing, undo } = this.#open;
    try {
      writing.write(this.#changes);
      this.#changes.clear();
    } catch (error) {
      if (isRead) return;
      const reason = `it could not be written to ${this.path}: ${(error as Error).message}`;
      try {
        undo();
      } catch (other) {
        throw new ErrorResponse(
          500,
          `The change will be lost: ${reason}; and it could not be undone: ${(other as Error).message}`,
        );
      }
      this.#changes.clear();
      this.undone++;
      if (error instanceof EmulatorBug) throw error;
      throw new ErrorResponse(500, `The change was undone: ${reason}`);
    }
    try {
      writing.acknowledge();
    } catch (error) {
      if (isRead) return;
      const { commits } = filesOf(this.path);
      throw new ErrorResponse(
        500,
        `The change is stored, but ${commits} could not be written: ${(error as Error).message}`,
      );
    }
  }

  /** Deletes a new file after a failed start of the emulator. */
  discard(): void {
    const isNew = this.#open !== undefined && this.stored === undefined;
    this.#open?.db.close();
    this.#open = undefined;
    if (isNew) removeAll(filesOf(this.path));
  }

  close(): void {
    if (!this.#open) return;
    const { db, writing } = this.#open;
    let failed: unknown;
    try {
      this.commit();
    } catch (error) {
      failed = error;
    }
    this.#open = undefined;
    try {
      writing.end();
      db.close();
    } catch (error) {
      // SQLite deletes the log when it closes a file, and the log may already be that of another emulator.
      throw new DataFileError(this.path, (error as Error).message);
    }
    if (failed) throw failed;
  }
}

function removeAll({ data, log, commits }: Files): void {
  for (const file of [data, log, `${data}-shm`, commits]) rmSync(file, { force: true });
}

/**
 * Creates a file. It is first written under another name and then renamed, so that an incomplete file never has the
 * final name, even if the process is killed.
 */
function create(path: string, world: World): Seal {
  const draft = filesOf(`${path}.${process.pid}.new`);
  removeAll(draft);
  try {
    // The account contains private keys and passwords, so only the user can read the file. SQLite gives its
    // additional files the same mode.
    writeFileSync(draft.data, "", { mode: 0o600 });
    const { db, used: seal } = open(draft.data, (db) => fill(db, world));
    db.close();
    if (existsSync(path)) throw new DataFileError(path, inUse);
    renameSync(draft.data, path);
    return seal;
  } catch (error) {
    removeAll(draft);
    if (error instanceof DataFileError) throw error;
    throw new DataFileError(path, `it cannot be created (${(error as Error).message}); use a file in another folder`);
  }
}

/** The contents of the file. Other programs may have changed the file, so it is compared with its checksums. */
function intactContents(db: DatabaseSync): ReturnType<typeof contents> {
  const [problem] = damages(db).problems;
  if (problem) throw new Error(problem);
  return contents(db);
}

interface Open {
  db: DatabaseSync;
  writing: Writing;
  /** Restores the state and the time of the last commit from the file. */
  undo(): void;
}

/** Opens the file exclusively. The operating system releases the lock even if the process is killed. */
function open<T>(path: string, use: (db: DatabaseSync) => T): { db: DatabaseSync; used: T } {
  const { DatabaseSync } = sqlite();
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    db.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    transactions(db)(() => undefined);
    return { db, used: use(db) };
  } catch (error) {
    db.close();
    throw isLocked(error) ? new DataFileError(path, inUse) : error;
  }
}
