import type { World } from "../emulator";

/** Tables of the emulator that are not counted, because they do not contain objects of users. */
const bookkeeping = new Set(["events", "timers", "addressPools", "objectStorageAccount"]);

/**
 * Deleted objects whose rows the service keeps: for each table of the emulator, whether a row is of a deleted object.
 */
export const past: Record<string, (row: object) => boolean> = {
  paymentMethods: (row) => "active" in row && row.active === false,
  transfers: (row) => "status" in row && row.status === "cancelled",
};

export const rowsOf = ({ world }: { world: World }): Map<string, number> =>
  countsOf([...world.tables].map(([name, table]) => [name, table.all()]));

/** The number of the users' objects in each table of the emulator. */
export const countsOf = (tables: Iterable<[string, readonly object[]]>): Map<string, number> =>
  new Map(
    [...tables]
      .filter(([name]) => !bookkeeping.has(name))
      .map(([name, rows]) => [name, rows.filter((row) => !past[name]?.(row)).length]),
  );

/** The number of rows that were added to each table since `fresh` was counted. Tables without new rows are omitted. */
export const more = (now: Map<string, number>, fresh: Map<string, number>): Record<string, number> =>
  Object.fromEntries(
    [...now].map(([name, count]) => [name, count - (fresh.get(name) ?? 0)] as const).filter(([, count]) => count),
  );
