import { closeSync, openSync, readSync } from "node:fs";

/** The id by which SQLite's header identifies a data file of the emulator: "CldI". */
const APPLICATION = 0x436c6449;
/** Version of the data file's tables. */
export const VERSION = 1;

/** The tables of a data file. Rows have the order of their creation, because lists return them in this order. */
export const schema = `
  PRAGMA application_id = ${APPLICATION};
  PRAGMA user_version = ${VERSION};
  CREATE TABLE account (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE rows (
    place INTEGER PRIMARY KEY,
    tbl TEXT NOT NULL,
    id ANY NOT NULL,
    row TEXT NOT NULL,
    UNIQUE (tbl, id)
  ) STRICT;
`;

/**
 * The problem with a file's header. Checked first, so that SQLite never opens a file that the emulator did not create.
 */
export function headerProblem(path: string): string | undefined {
  const header = Buffer.alloc(100);
  const file = openSync(path, "r");
  const read = readSync(file, header);
  closeSync(file);
  if (read === 0) return "it is empty; delete it to create a new one";
  if (read < header.length || header.toString("latin1", 0, 16) !== "SQLite format 3\0")
    return "it is not a data file of the emulator; use another file";
  if (header.readUInt32BE(68) !== APPLICATION) return "it belongs to another application; use another file";
  const version = header.readUInt32BE(60);
  if (version > VERSION)
    return `it was written by a newer emulator (format ${version}; this emulator reads format ${VERSION}); use the newer emulator, or another file`;
  return version < 1 ? "its format is not known; use another file" : undefined;
}
