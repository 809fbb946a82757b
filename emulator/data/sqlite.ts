import type { DatabaseSync } from "node:sqlite";

/**
 * Node's SQLite module, loaded on first use. Node's warning that the module is experimental is suppressed, and all
 * other warnings are printed.
 */
export function sqlite(): typeof import("node:sqlite") {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Runs the callback in a transaction: either all changes are applied, or none. */
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
