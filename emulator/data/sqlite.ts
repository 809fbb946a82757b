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

/** Returns a function that runs its callback in a transaction: either all changes are applied, or none. */
export function transactions(db: DatabaseSync): (work: () => void) => void {
  const [begin, commit] = [db.prepare("BEGIN IMMEDIATE"), db.prepare("COMMIT")];
  return (work) => {
    begin.run();
    try {
      work();
      commit.run();
    } catch (error) {
      if (db.isTransaction) db.exec("ROLLBACK");
      throw error;
    }
  };
}

const BUSY = 5;
export const isLocked = (error: unknown): boolean => (error as { errcode?: number }).errcode === BUSY;
