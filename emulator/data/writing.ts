import { randomBytes } from "node:crypto";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { EmulatorBug } from "../core/emulator-bug";
import { type Rows, rowProblems } from "../core/snapshot";
import type { Key, Row, Table } from "../core/store";
import type { World } from "../core/world";
import { CommitRecord } from "./commits";
import { type Files, watched } from "./files";
import { schema } from "./form";
import { sealWithoutLog } from "./read";
import { rowSum, SEAL, type Seal, sealed, sealText, total, type Values, valueSum } from "./seal";
import { transactions } from "./sqlite";

/** Changed rows by table and id: `written`, `removed`, or `replaced` by a new row with the same id. */
export type Changed = ReadonlyMap<string, ReadonlyMap<Key, Change>>;
export type Change = "written" | "removed" | "replaced";

export interface Writing {
  /** Writes the changes in one transaction. */
  write(changes: Changed): void;
  /** Records the last transaction outside of the database. Called before a response is sent. */
  acknowledge(): void;
  /** Writes that the file is complete. Throws an error if other programs have changed the files meanwhile. */
  end(): void;
}

export type Begin = (db: DatabaseSync, files: Files, world: World, seal: Seal | undefined) => Writing;

const everything = (world: World): Changed =>
  new Map([...world.tables].map(([name, table]) => [name, new Map(table.all().map(({ id }) => [id, "written"]))]));

/** Creates the tables, and writes all rows. The file is then complete, but not in use. */
export const fill = (db: DatabaseSync, world: World): Seal =>
  committer(db, world, unwritten()).commit(everything(world), { open: false, isNew: true });

/** Starts to write with checksums. Converts a file that has none. */
export const begin: Begin = (db, files, world, seal) => {
  const { commit, last } = committer(db, world, seal ?? unwritten());
  const record = new CommitRecord(files, last());
  if (seal) commit(new Map(), { open: true });
  else commit(everything(world), { open: true, isNew: true });
  record.write(last());
  // From now on, the data file itself shows that commits can be missing, even if all other files are lost.
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  let copied = last().commit;
  const problem = watched(files, () => {
    const stored = sealWithoutLog(files);
    if (!stored) return false;
    if (stored.file !== last().file || stored.commit < copied || stored.commit > last().commit) return true;
    copied = stored.commit;
    return false;
  });
  const check = (): void => {
    const found = problem();
    if (found)
      throw new Error(
        `${found}. Save the account with GET /_emulator/state, then start the emulator with --load and a new --data file`,
      );
    // An earlier attempt may have failed. The record must never be more than one commit behind.
    record.write(last());
  };
  return {
    write(changes) {
      commit(changes, { open: true, before: check });
    },
    acknowledge: () => record.write(last()),
    end() {
      check();
      try {
        commit(new Map(), { open: false });
        record.write(last());
        record.close();
      } catch {
        // Nothing is lost: the file is as complete as after the emulator was killed.
      }
    },
  };
};

const unwritten = (): Seal => ({
  file: randomBytes(8).toString("hex"),
  commit: 0,
  open: false,
  rows: 0,
  sum: 0,
  values: 0,
  previous: 0,
  chain: 0,
});

interface Committing {
  open: boolean;
  isNew?: boolean;
  /** Called before anything is written, unless there is nothing to write. */
  before?: () => void;
}

function committer(db: DatabaseSync, world: World, start: Seal) {
  let seal = start;
  const ids = nextIds(world);
  const inTransaction = transactions(db);
  let writer: RowWriter | undefined;
  let written: Values = [];
  let valueSums: readonly number[] = [];
  const commit = (changes: Changed, { open, isNew = false, before }: Committing): Seal => {
    const values = valuesOf(world, ids);
    const isFresh = values.map(([, value], at) => written[at]?.[1] !== value);
    if (changes.size === 0 && !isFresh.includes(true) && open === seal.open) return seal;
    before?.();
    const sums = values.map(([name, value], at) => (isFresh[at] ? valueSum(name, value) : (valueSums[at] as number)));
    let next = seal;
    let done: Written | undefined;
    inTransaction(() => {
      if (isNew) db.exec(schema);
      writer ??= new RowWriter(db, world);
      for (const [at, [name, value]] of values.entries()) if (isFresh[at]) writer.set(name, value);
      done = writer.write(changes, seal);
      const { file, commit, chain: previous } = seal;
      const { rows, sum } = done;
      next = sealed({ file, commit: commit + 1, open, rows, sum, values: total(sums), previous });
      writer.set(SEAL, sealText(next));
    });
    if (done) writer?.remember(done);
    seal = next;
    written = values;
    valueSums = sums;
    return seal;
  };
  return { commit, last: () => seal };
}

/** The new number of rows, the new sum of their checksums, and the checksum of each written row. */
interface Written extends Pick<Seal, "rows" | "sum"> {
  sums: [table: string, id: Key, sum: number | undefined][];
}

/** Writes rows. Remembers the checksums of all rows, because reading them from the file takes longer than a write. */
class RowWriter {
  readonly #world: World;
  /** As signed numbers, which need less memory. */
  readonly #sums = new Map<string, Map<Key, number>>();
  readonly #set: StatementSync;
  readonly #put: StatementSync;
  readonly #remove: StatementSync;

  constructor(db: DatabaseSync, world: World) {
    this.#world = world;
    this.#set = db.prepare("INSERT INTO account VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value");
    this.#put = db.prepare(
      "INSERT INTO rows (tbl, id, row, sum) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET row = excluded.row, sum = excluded.sum",
    );
    this.#remove = db.prepare("DELETE FROM rows WHERE tbl = ? AND id = ?");
    for (const { tbl, id, sum } of db.prepare("SELECT tbl, id, sum FROM rows").iterate())
      this.#sumsOf(String(tbl)).set(id as Key, Number(sum) | 0);
  }

  set(name: string, value: string): void {
    this.#set.run(name, value);
  }

  write(changes: Changed, { rows, sum }: Seal): Written {
    const sums: Written["sums"] = [];
    for (const [name, changed] of changes) {
      const table = this.#world.tables.get(name);
      const known = this.#sumsOf(name);
      for (const [id, change] of changed) {
        const row = table?.find(id);
        if (table && row) failIfUnreadable(this.#world, table, row);
        const before = known.get(id);
        if (before !== undefined) {
          rows--;
          sum -= before >>> 0;
          if (change !== "written") this.#remove.run(name, id);
        }
        if (row) {
          const text = JSON.stringify(row);
          const added = rowSum(name, text);
          rows++;
          sum += added;
          this.#put.run(name, id, text, added);
          sums.push([name, id, added | 0]);
        } else if (before !== undefined) sums.push([name, id, undefined]);
      }
    }
    return { rows, sum, sums };
  }

  /** Called after the transaction, because a transaction that fails changes no row. */
  remember({ sums }: Written): void {
    for (const [name, id, sum] of sums)
      if (sum === undefined) this.#sumsOf(name).delete(id);
      else this.#sumsOf(name).set(id, sum);
  }

  #sumsOf(name: string): Map<Key, number> {
    const known = this.#sums.get(name) ?? new Map<Key, number>();
    this.#sums.set(name, known);
    return known;
  }
}

/** Throws an error instead of writing a row that would be rejected when the file is loaded. */
export function failIfUnreadable(world: World, table: Table<Row>, row: Readonly<Row>): void {
  const rowsOf = (name: string) => ({ has: (id: Key) => world.tables.get(name)?.find(id) !== undefined });
  const [problem] = rowProblems(world, table, row as Rows[number], rowsOf);
  if (problem)
    throw new EmulatorBug(
      `the emulator tried to store a row that it would reject at its next start: ${table.name} ${row.id}: ${problem.join(": ")}`,
    );
}

/** The state outside the rows of tables, by name: the seed, the random generator, the clock and the next ids. */
function valuesOf({ seed, random, clock }: World, next: () => string): Values {
  return [
    ["seed", String(seed)],
    ["random", String(random.state)],
    ["clock", JSON.stringify(clock.stored)],
    ["next", next()],
  ];
}

/** Writes the next ids as JSON. The names are written only once, because each commit contains all of them. */
function nextIds({ tables }: World): () => string {
  const named = [...tables].map(([name, table], at) => ({ start: `${at ? "," : ""}${JSON.stringify(name)}:`, table }));
  return () => {
    let text = "{";
    for (const { start, table } of named) text += start + table.next;
    return `${text}}`;
  };
}
