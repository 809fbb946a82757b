import { closeSync, openSync, readSync } from "node:fs";

/** The id by which SQLite's header identifies a data file of the emulator: "CldI". */
const APPLICATION = 0x436c6449;
/** Version of the data file's tables. Files of version 1 have no checksums; they are converted when they are opened. */
const VERSION = 2;

/** The tables of a data file. Rows have the order of their creation, because lists return them in this order. */
export const schema = `
  PRAGMA application_id = ${APPLICATION};
  PRAGMA user_version = ${VERSION};
  CREATE TABLE IF NOT EXISTS account (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  DROP TABLE IF EXISTS rows;
  CREATE TABLE rows (
    place INTEGER PRIMARY KEY,
    tbl TEXT NOT NULL,
    id ANY NOT NULL,
    row TEXT NOT NULL,
    sum INTEGER NOT NULL,
    UNIQUE (tbl, id)
  ) STRICT;
`;

export interface HeaderProblem {
  why: string;
  advice: string;
  /** Whether the file can be intact, although this emulator cannot read it. */
  isNewer?: boolean;
}

/**
 * The problem with a file's header. Checked first, so that SQLite never opens a file that the emulator did not create.
 */
export function headerProblem(path: string): HeaderProblem | undefined {
  const header = Buffer.alloc(100);
  const file = openSync(path, "r");
  const read = readSync(file, header);
  closeSync(file);
  if (read === 0) return { why: "it is empty", advice: "delete it to create a new one" };
  const advice = "use another file";
  if (read < header.length || header.toString("latin1", 0, 16) !== "SQLite format 3\0")
    return { why: "it is not a data file of the emulator", advice };
  if (header.readUInt32BE(68) !== APPLICATION) return { why: "it belongs to another application", advice };
  const version = header.readUInt32BE(60);
  if (version > VERSION)
    return {
      why: `it was written by a newer emulator (format ${version}; this emulator reads format ${VERSION})`,
      advice: "use the newer emulator, or another file",
      isNewer: true,
    };
  return version < 1 ? { why: "its format is not known", advice } : undefined;
}
