import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { isObject } from "../../api";
import type { StoredTime } from "../core/clock";
import type { Key, OldRow } from "../core/store";
import { recordedCommit } from "./commits";
import { type Files, filesOf } from "./files";
import { Account, DataFileError, integrityProblems, inUse, withLog } from "./read";
import { readSeal, rowSum, type Seal, valuesIn } from "./seal";
import { isLocked, sqlite } from "./sqlite";

/** The readable contents of a data file, which may be damaged. */
export interface RecoveredData {
  /** The intact rows by table, in the order of their creation. */
  tables: ReadonlyMap<string, ReadonlyMap<Key, OldRow>>;
  /** The values outside of the tables. Undefined if they are damaged. */
  values: { seed: number; random: number; clock: StoredTime; next: Readonly<Record<string, number>> } | undefined;
  /** The number of commits that the rows contain. */
  commit: number | undefined;
  /** Whether these are all rows of the last commit that the file contains. */
  isComplete: boolean;
  /** The losses, one line each. */
  lost: string[];
}

/** Reads the intact part of a data file. Works on a copy in the given folder, so that the files stay unchanged. */
export function recoverRows(path: string, folder: string): RecoveredData {
  const files = filesOf(path);
  if (!existsSync(path)) throw new DataFileError(path, "it does not exist");
  failIfInUse(path, files);
  const found = [true, false]
    .filter((isLogUsed) => isLogUsed || existsSync(files.log))
    .flatMap((isLogUsed) => {
      const found = copied(files, folder, isLogUsed, readIntact);
      return found ? { ...found, isLogUsed } : [];
    })
    .sort((a, b) => Number(b.isComplete) - Number(a.isComplete) || (a.isComplete ? byCommit(a, b) : bySize(a, b)));
  const withoutLog = found.find(({ isLogUsed }) => !isLogUsed)?.seal;
  const [best] = found.filter(({ seal }) => !seal || !withoutLog || seal.file === withoutLog.file);
  if (!best || best.size === 0) throw new DataFileError(path, "none of its rows is intact; restore a copy of it");
  const log =
    best.isLogUsed || !existsSync(files.log)
      ? []
      : [`the contents of ${files.log}, which is damaged, older, or of another data file`];
  return { ...best, lost: [...lostCommits(files, best.seal), ...log, ...best.lost] };
}

type Found = RecoveredData & { seal: Seal | undefined; size: number };

const byCommit = (a: Found, b: Found): number => (b.commit ?? 0) - (a.commit ?? 0);
const bySize = (a: Found, b: Found): number => b.size - a.size;

function failIfInUse(path: string, files: Files): void {
  // An emulator has a log as long as it uses the file. SQLite deletes the log of an empty file when it opens the file.
  if (!existsSync(files.log) || statSync(files.data).size === 0) return;
  try {
    withLog(files, (db) => db.prepare("PRAGMA schema_version").all());
  } catch (error) {
    if (isLocked(error)) throw new DataFileError(path, inUse);
  }
}

/** Opens a copy of the file, with or without the log. Returns undefined if SQLite cannot open it. */
function copied<T>(
  { data, log }: Files,
  parent: string,
  isLogUsed: boolean,
  read: (db: DatabaseSync) => T,
): T | undefined {
  const folder = mkdtempSync(join(parent, ".recover-"));
  const { DatabaseSync } = sqlite();
  let db: DatabaseSync | undefined;
  try {
    const copy = join(folder, "data");
    copyFileSync(data, copy);
    if (isLogUsed && existsSync(log)) copyFileSync(log, `${copy}-wal`);
    db = new DatabaseSync(copy);
    db.prepare("SELECT name FROM sqlite_schema").all();
    return read(db);
  } catch {
    return undefined;
  } finally {
    db?.close();
    rmSync(folder, { recursive: true });
  }
}

function readIntact(db: DatabaseSync): Found {
  const stored = attempt(() => valuesIn(db)) ?? [];
  const [{ user_version: version } = {}] = attempt(() => db.prepare("PRAGMA user_version").all()) ?? [];
  const { seal, areValuesIntact } = readSeal(stored);
  // A file of version 1 has no checksums, so its values count as intact if they can be parsed.
  const hasSums = version !== 1;
  const isIntact = areValuesIntact || !hasSums;
  const values = isIntact
    ? Account.safeParse(Object.fromEntries(stored.map(([n, v]) => [n, json(v)]))).data
    : undefined;
  const lost: string[] = [];
  if (!values) lost.push("the clock, the state of the random generator and the next ids");
  const tables = new Map<string, Map<Key, OldRow>>();
  let [size, sum] = [0, 0];
  for (const [table, id, found] of allRows(db, hasSums)) {
    const row = json(found?.row);
    if (!found || !isRow(row) || (hasSums && rowSum(table, String(found.row)) !== found.sum)) {
      lost.push(`the row ${id} of the table ${table}`);
      continue;
    }
    const rows = tables.get(table) ?? new Map<Key, OldRow>();
    tables.set(table, rows.set(row.id, row));
    size++;
    sum += Number(found.sum ?? 0);
  }
  const asSealed = !hasSums || (seal !== undefined && areValuesIntact && size === seal.rows && sum === seal.sum);
  const isComplete = asSealed && lost.length === 0 && attempt(() => integrityProblems(db))?.length === 0;
  const unnamed = hasSums && areValuesIntact && seal ? seal.rows - size - lost.length : 0;
  if (unnamed > 0) lost.push(`${unnamed} rows whose ids cannot be read`);
  else if (!isComplete && lost.length === 0) lost.push("possibly newer versions of some rows");
  return { tables, values, commit: areValuesIntact ? seal?.commit : undefined, isComplete, lost, seal, size };
}

type Stored = Record<string, SQLOutputValue>;

/**
 * All rows that the table or its index lists. A row that can be found only in the index is lost, but its name is known.
 * SQLite stops at the first damaged page, so both are read from both ends, and the rest row by row.
 */
function allRows(db: DatabaseSync, hasSums: boolean): [table: string, id: string, row: Stored | undefined][] {
  const columns = `place, tbl, id, row${hasSums ? ", sum" : ""}`;
  const byPlace = new Map<number, Stored>();
  const names = new Map<number, Stored>();
  for (const order of ["ASC", "DESC"]) {
    for (const row of until(db, `SELECT ${columns} FROM rows NOT INDEXED ORDER BY place ${order}`))
      byPlace.set(Number(row.place), row);
    const inIndex = "rows INDEXED BY sqlite_autoindex_rows_1";
    for (const row of until(db, `SELECT place, tbl, id FROM ${inIndex} ORDER BY tbl ${order}, id ${order}`))
      names.set(Number(row.place), row);
  }
  for (const place of names.keys())
    if (!byPlace.has(place))
      for (const row of until(db, `SELECT ${columns} FROM rows NOT INDEXED WHERE place = ${place}`))
        byPlace.set(place, row);
  return [...new Set([...byPlace.keys(), ...names.keys()])]
    .sort((a, b) => a - b)
    .map((place) => {
      const name = names.get(place) ?? byPlace.get(place);
      return [String(name?.tbl), String(name?.id), byPlace.get(place)];
    });
}

/** The rows of a query, up to the first that SQLite cannot read. */
function* until(db: DatabaseSync, query: string): Iterable<Stored> {
  try {
    yield* db.prepare(query).iterate();
  } catch {
    // The rest is damaged.
  }
}

function lostCommits(files: Files, seal: Seal | undefined): string[] {
  const recorded = recordedCommit(files);
  if (typeof recorded === "string") {
    if (recorded === "missing" && seal?.open !== true) return [];
    return [`possibly the last commits: ${files.commits} is ${recorded}`];
  }
  if (!seal) return [];
  if (recorded.file !== seal.file) return [`possibly the last commits: ${files.commits} belongs to another data file`];
  const lost = recorded.commit - seal.commit;
  if (lost > 0) return [`the last ${lost === 1 ? "commit" : `${lost} commits`}`];
  return lost < -1 ? [`possibly the last commits: ${files.commits} is older than the data file`] : [];
}

const isRow = (row: unknown): row is OldRow =>
  isObject(row) && "id" in row && (typeof row.id === "number" || typeof row.id === "string");

const json = (text: unknown): unknown => attempt(() => JSON.parse(String(text)));

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
