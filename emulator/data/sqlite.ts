import type { DatabaseSync } from "node:sqlite";

/** Node's built-in SQLite, loaded on first use. Only its warning that SQLite is experimental is suppressed. */
export function sqlite(): typeof import("node:sqlite") {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Runs the callback in a transaction: all of its changes are applied, or none. */
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
