import { z } from "zod";
import { isObject } from "../../api";
import { END_OF_TIME } from "./clock";
import { parseControlBody } from "./parse-control-body";
import { Refusal } from "./refusal";
import { validateSnapshot } from "./snapshot-validation";
import type { TableDump } from "./store";
import { refuseUnsafeJson } from "./unsafe-json";
import type { World } from "./world";

export const VERSION = 1;

/** The complete state of the emulator as JSON. It can be saved and loaded again. */
export type Snapshot = z.output<typeof Snapshot>;
export const Snapshot = z.strictObject({
  version: z.literal(VERSION).describe("Version of the snapshot's format."),
  seed: z.int(),
  clock: z
    .number()
    .min(0)
    .max(END_OF_TIME)
    .describe("Current time of the emulator's clock, as Unix time in milliseconds."),
  random: z.int().min(0),
  tables: z
    .record(
      z.string(),
      z.strictObject({
        next: z.int().min(1),
        rows: z.array(z.looseObject({ id: z.union([z.int().min(1), z.string().min(1)]) })),
      }),
    )
    .describe("Rows by table. Omitted tables have the same rows as in a new account."),
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

/** Loads a snapshot. If the snapshot is invalid, the state does not change. */
export function load(world: World, sent: unknown, fresh: Snapshot): void {
  const given = upgraded(world, readState(sent));
  validateSnapshot(world, given, fresh);
  put(world, given, fresh);
  world.clock.set(given.clock);
}

/**
 * Parses a snapshot. The version is checked first, so that a snapshot of another version is rejected with a clear
 * message.
 */
export function readState(sent: unknown): Snapshot {
  if (!isObject(sent)) throw new Refusal(400, "The snapshot must be a JSON object as GET /_emulator/state returns it");
  const { version } = sent as { version?: unknown };
  if (version !== VERSION) throw new Refusal(400, otherVersion(version), "version");
  refuseUnsafeJson(sent, 1);
  return parseControlBody(Snapshot, sent);
}

const otherVersion = (version: unknown): string =>
  typeof version === "number" && version > VERSION
    ? `Must be ${VERSION}: version ${version} was written by a newer emulator`
    : `Must be ${VERSION}, the only version that this emulator supports`;

/** Converts a snapshot of an older version of the emulator to the current format. */
export function upgraded(world: World, given: Snapshot): Snapshot {
  const tables = Object.entries(given.tables).map(([name, { next, rows }]) => {
    const upgrade = world.tables.get(name)?.spec.upgrade;
    return [name, { next, rows: upgrade ? rows.map(upgrade) : rows }];
  });
  return { ...given, tables: Object.fromEntries(tables) };
}

/**
 * Replaces the state by the snapshot `given`, which must be valid. Tables that it does not contain are taken from `fresh`.
 * The clock is not set: callers decide whether to continue with the time of the snapshot.
 */
export function put(world: World, given: Snapshot, fresh: Snapshot): void {
  for (const [name, table] of world.tables) table.load((given.tables[name] ?? fresh.tables[name]) as TableDump);
  world.random.state = given.random;
  world.schedule.reload();
}
