import type { DatabaseSync } from "node:sqlite";

/** Node's own SQLite, loaded when it is asked for. Of its warnings only the one that SQLite is new in Node is left out. */
export function sqlite(): typeof import("node:sqlite") {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Does the work as a whole or not at all. */
export function transaction(db: DatabaseSync, work: () => void): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    work();
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

const BUSY = 5;
export const isLocked = (error: unknown): boolean => (error as { errcode?: number }).errcode === BUSY;
