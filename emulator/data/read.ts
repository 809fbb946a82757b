import { accessSync, constants, existsSync, lstatSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { problemsOf } from "../../api";
import { END_OF_TIME, type KeptTime } from "../core/clock";
import { readState, type Snapshot, VERSION } from "../core/snapshot";
import { headerProblem } from "./form";
import { isLocked, sqlite } from "./sqlite";

/**
 * Contents of a data file. The time is in `clock`, and the time in `state` is ignored: `clock` can also store an offset
 * from the machine's clock, but a snapshot only a fixed time.
 */
export interface Kept {
  state: Snapshot;
  clock: KeptTime;
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
export function readData(path: string): Kept | undefined {
  const refuse = (why: string): never => {
    throw new DataFileError(path, why);
  };
  if (!existsSync(path)) {
    if (lstatSync(path, { throwIfNoEntry: false }))
      return refuse("it is a symbolic link to a file that does not exist");
    const folder = dirname(resolve(path));
    return existsSync(folder) ? undefined : refuse(`there is no folder ${folder}`);
  }
  if (!statSync(path).isFile()) return refuse("it is not a file; name a file, or a path that does not exist yet");
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch {
    return refuse("you have no permission to read and write it");
  }
  const problem = headerProblem(path);
  if (problem) return refuse(problem);
  try {
    return reading(path, contents);
  } catch (error) {
    if (isLocked(error)) return refuse(inUse);
    return refuse(`it is damaged (${whyOf(error)}); restore a copy, or use another file`);
  }
}

/** Describes an error that reading or checking the file has caused, in one sentence. */
function whyOf(error: unknown): string {
  if (!(error instanceof z.core.$ZodError)) return (error as Error).message;
  const [problem] = problemsOf(error.issues);
  return problem ? `${problem.path.join(".")} ${problem.reason}` : "it does not match the format";
}

const Account = z.object({
  seed: z.int(),
  random: z.int().min(0),
  clock: z.union([
    z.strictObject({ stands: z.number().min(0).max(END_OF_TIME) }),
    z.strictObject({ ahead: z.number().min(-END_OF_TIME).max(END_OF_TIME) }),
  ]),
  next: z.record(z.string(), z.int()),
});

function reading<T>(path: string, read: (db: DatabaseSync) => T): T {
  const { DatabaseSync } = sqlite();
  // A file that was closed cleanly can be read as immutable. Otherwise SQLite must also read the write-ahead log.
  const closed = !existsSync(`${path}-wal`);
  const url = pathToFileURL(path);
  if (closed) url.searchParams.set("immutable", "1");
  const indexed = existsSync(`${path}-shm`);
  const db = new DatabaseSync(url, { readOnly: true, timeout: 0 });
  try {
    const [check] = db.prepare("PRAGMA integrity_check").all();
    if (check?.integrity_check !== "ok") throw new Error(String(check?.integrity_check));
    return read(db);
  } finally {
    db.close();
    if (!closed && !indexed) rmSync(`${path}-shm`, { force: true });
  }
}

/** The contents of an open data file. */
export function contents(db: DatabaseSync): Kept {
  const values: Record<string, unknown> = {};
  for (const { name, value } of db.prepare("SELECT name, value FROM account").all())
    values[String(name)] = JSON.parse(String(value));
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
