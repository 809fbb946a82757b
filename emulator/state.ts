import { z } from "zod";
import { oneOf } from "../api";
import { Refusal } from "./refusal";
import type { TableDump } from "./store";
import type { World } from "./world";

const VERSION = 1;

/** The whole of an account, as JSON: it can be kept and loaded again. */
export type Snapshot = z.output<typeof Snapshot>;
export const Snapshot = z.strictObject({
  version: z.literal(VERSION).describe("Form of the snapshot."),
  seed: z.int(),
  clock: z.number().describe("Milliseconds since 1970."),
  random: z.int().min(0),
  tables: z
    .record(
      z.string(),
      z.strictObject({
        next: z.int().min(1),
        rows: z.array(z.looseObject({ id: z.union([z.int().min(1), z.string().min(1)]) })),
      }),
    )
    .describe("Tables that are left out are as in a new account."),
});

export function snapshot(world: World): Snapshot {
  const tables = Object.fromEntries([...world.tables].map(([name, table]) => [name, table.dump()]));
  return {
    version: VERSION,
    seed: world.seed,
    clock: world.clock.now(),
    random: world.random.state,
    tables,
  } as Snapshot;
}

/** Takes up a snapshot as a whole, or refuses it and changes nothing. */
export function load(world: World, given: Snapshot, fresh: Snapshot): void {
  const unknown = Object.keys(given.tables).filter((name) => !world.tables.has(name));
  if (unknown.length > 0)
    throw new Refusal(
      400,
      `There is no such table; tables are ${oneOf([...world.tables.keys()])}`,
      `tables.${unknown[0]}`,
    );
  for (const [name, { rows }] of Object.entries(given.tables))
    if (new Set(rows.map(({ id }) => id)).size < rows.length)
      throw new Refusal(400, "Two rows have the same id", `tables.${name}.rows`);
  for (const [name, table] of world.tables) table.load((given.tables[name] ?? fresh.tables[name]) as TableDump);
  world.random.state = given.random;
  world.clock.set(given.clock);
  world.schedule.reload();
}
