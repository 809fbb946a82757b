import { accessSync, constants, existsSync, lstatSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { problemsOf } from "../../api";
import { END_OF_TIME, type StoredTime } from "../core/clock";
import { readState, type Snapshot, VERSION } from "../core/snapshot";
import { missingCommits, recordedCommit } from "./commits";
import { type Files, filesOf } from "./files";
import { headerProblem } from "./form";
import { damages, readSeal, SEAL, type Seal, valuesIn } from "./seal";
import { isLocked, sqlite } from "./sqlite";

/**
 * Contents of a data file. The time is in `clock`, and the time in `state` is ignored: `clock` can also store an offset
 * from the machine's clock, but a snapshot only a fixed time.
 */
export interface StoredData {
  state: Snapshot;
  clock: StoredTime;
  /** Undefined for a file of version 1. */
  seal: Seal | undefined;
}

/** A file that the emulator cannot use. The emulator leaves the file unchanged. */
export class DataFileError extends Error {
  override readonly name = "DataFileError";

  constructor(path: string, why: string) {
    super(`the data file ${path} cannot be used: ${why}`);
  }
}

export const inUse = "another emulator has it open; stop that emulator, or use another file";

/**
 * Reads the contents of a data file; undefined if the file does not exist. The file is opened read-only, so that a
 * rejected file stays unchanged.
 */
export function readData(path: string): StoredData | undefined {
  const fail = (why: string): never => {
    throw new DataFileError(path, why);
  };
  const files = filesOf(path);
  if (!existsSync(path)) {
    if (lstatSync(path, { throwIfNoEntry: false })) return fail("it is a symbolic link to a file that does not exist");
    const folder = dirname(resolve(path));
    if (!existsSync(folder)) return fail(`there is no folder ${folder}`);
    const [left] = [files.commits, files.log].filter((file) => existsSync(file));
    if (!left) return undefined;
    return fail(`it does not exist, although ${left} does; restore it, or delete ${left} to create a new account`);
  }
  if (!statSync(path).isFile()) return fail("it is not a file; name a file, or a path that does not exist yet");
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch {
    return fail("you have no permission to read and write it");
  }
  const damaged = (why: string): never =>
    fail(
      `it is damaged (${why}); restore a copy of it, or save what is intact with: npx cloudinfra emulator --data ${path} --recover NEWFILE`,
    );
  const problem = headerProblem(path);
  if (problem)
    return existsSync(files.commits) && !problem.isNewer
      ? damaged(problem.why)
      : fail(`${problem.why}; ${problem.advice}`);
  try {
    return reading(files, (db) => {
      const [{ user_version: version } = {}] = db.prepare("PRAGMA user_version").all();
      if (version === 1) return { ...contents(db), seal: unsealed(files, db) };
      const { seal, problems } = damages(db);
      const missing =
        seal && problems.length === 0 ? (wrongLog(files, seal) ?? missingCommits(files, seal)) : undefined;
      if (missing) problems.push(missing);
      if (problems.length > 0) throw new Error(summary(problems));
      return { ...contents(db), seal };
    });
  } catch (error) {
    return isLocked(error) ? fail(inUse) : damaged(whyOf(error));
  }
}

/** A file of version 1 has no seal. One that has a seal, or whose commits were recorded, is of a later version. */
function unsealed(files: Files, db: DatabaseSync): undefined {
  const recorded = recordedCommit(files);
  if (
    readSeal(valuesIn(db)).seal ||
    (recorded !== "missing" && !(typeof recorded === "object" && recorded.commit === 0))
  )
    throw new Error(`it has no checksums, although ${files.commits} belongs to it`);
}

/** Detects an older log or that of another file: SQLite would replace pages of the data file by those of the log. */
function wrongLog(files: Files, { file, commit }: Seal): string | undefined {
  if (!existsSync(files.log)) return undefined;
  const stored = sealWithoutLog(files);
  if (stored && stored.file !== file) return `${files.log} belongs to another data file`;
  return stored && stored.commit > commit
    ? `${files.log} is older than the data file: it has ${commit} of at least ${stored.commit} commits`
    : undefined;
}

/** The seal in the data file as it was when SQLite last copied the log into it. */
export function sealWithoutLog(files: Files): Seal | undefined {
  try {
    return withoutLog(files, (db) => readSeal(valuesIn(db)).seal);
  } catch {
    // An emulator that was killed while SQLite copied the log leaves a file that needs the log.
    return undefined;
  }
}

const summary = ([first = "", ...more]: readonly string[]): string =>
  more.length === 0 ? first : `${first}, and ${more.length} more ${more.length === 1 ? "problem" : "problems"}`;

/** Describes an error that reading or checking the file has caused, in one sentence. */
function whyOf(error: unknown): string {
  if (!(error instanceof z.core.$ZodError)) return (error as Error).message;
  const [problem] = problemsOf(error.issues);
  return problem ? `${problem.path.join(".")} ${problem.reason}` : "it does not match the format";
}

export const Account = z.object({
  seed: z.int(),
  random: z.int().min(0),
  clock: z.union([
    z.strictObject({ stands: z.number().min(0).max(END_OF_TIME) }),
    z.strictObject({ ahead: z.number().min(-END_OF_TIME).max(END_OF_TIME) }),
  ]),
  next: z.record(z.string(), z.int()),
});

function reading<T>(files: Files, read: (db: DatabaseSync) => T): T {
  // A file that was closed cleanly can be read as immutable. Otherwise SQLite must also read the write-ahead log.
  return existsSync(files.log) ? withLog(files, checked(read)) : withoutLog(files, checked(read));
}

/** Reads a file and its log. Throws an error if an emulator uses them. */
export function withLog<T>(files: Files, read: (db: DatabaseSync) => T): T {
  const index = `${files.data}-shm`;
  const indexed = existsSync(index);
  try {
    return opened(pathToFileURL(files.data), read);
  } finally {
    if (!indexed) rmSync(index, { force: true });
  }
}

function withoutLog<T>(files: Files, read: (db: DatabaseSync) => T): T {
  const url = pathToFileURL(files.data);
  url.searchParams.set("immutable", "1");
  return opened(url, read);
}

function opened<T>(url: URL, read: (db: DatabaseSync) => T): T {
  const { DatabaseSync } = sqlite();
  const db = new DatabaseSync(url, { readOnly: true, timeout: 0 });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

const checked =
  <T>(read: (db: DatabaseSync) => T) =>
  (db: DatabaseSync): T => {
    const problems = integrityProblems(db);
    if (problems.length > 0) throw new Error(summary(problems));
    return read(db);
  };

/** SQLite's own findings. It returns several in one text, after a line that names the database. */
export const integrityProblems = (db: DatabaseSync): string[] =>
  db
    .prepare("PRAGMA integrity_check")
    .all()
    .flatMap((check) => String(check.integrity_check).split("\n"))
    .filter((line) => line !== "ok" && line !== "" && !line.startsWith("***"));

export function contents(db: DatabaseSync): Omit<StoredData, "seal"> {
  const stored = valuesIn(db).filter(([name]) => name !== SEAL);
  const values = Object.fromEntries(stored.map(([name, value]) => [name, JSON.parse(value)]));
  const { next, seed, random, clock } = z.parse(Account, values);
  const tables = Object.fromEntries(
    Object.entries(next).map(([name, next]) => [name, { next, rows: [] as unknown[] }]),
  );
  for (const { tbl, row } of db.prepare("SELECT tbl, row FROM rows ORDER BY place").iterate()) {
    const table = tables[String(tbl)];
    if (!table) throw new Error(`the file has rows of the table ${tbl}, but no counter for the next id in that table`);
    table.rows.push(JSON.parse(String(row)));
  }
  return { state: readState({ version: VERSION, seed, random, clock: 0, tables }), clock };
}
