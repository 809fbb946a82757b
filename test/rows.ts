import type { World } from "../emulator";

/** Tables of the emulator that do not contain objects of users. */
const bookkeeping = new Set(["events", "timers", "addressPools", "objectStorageAccount"]);

/** Conditions for rows that the service keeps after the object is deleted, by table of the emulator. */
export const past: Record<string, (row: object) => boolean> = {
  paymentMethods: (row) => "active" in row && row.active === false,
  transfers: (row) => "status" in row && row.status === "cancelled",
};

export const rowsOf = ({ world }: { world: World }): Map<string, number> =>
  countsOf([...world.tables].map(([name, table]) => [name, table.all()]));

/** The number of rows for objects of users, by table of the emulator. */
export const countsOf = (tables: Iterable<[string, readonly object[]]>): Map<string, number> =>
  new Map(
    [...tables]
      .filter(([name]) => !bookkeeping.has(name))
      .map(([name, rows]) => [name, rows.filter((row) => !past[name]?.(row)).length]),
  );

/** By table of the emulator, the number of rows added since `fresh`. Tables without new rows are omitted. */
export const more = (now: Map<string, number>, fresh: Map<string, number>): Record<string, number> =>
  Object.fromEntries(
    [...now].map(([name, count]) => [name, count - (fresh.get(name) ?? 0)] as const).filter(([, count]) => count),
  );
