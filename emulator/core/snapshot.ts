import { z } from "zod";
import { fieldsOf, isObject, oneOf, problemsOf, Time } from "../../api";
import { END_OF_TIME } from "./clock";
import { ErrorResponse, Reasons, sentence } from "./error-response";
import { parseControlBody } from "./parse-control-body";
import type { Key, Row, Table, TableDump } from "./store";
import { rejectUnsafeJson } from "./unsafe-json";
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
  const state = upgraded(world, readState(sent));
  validateSnapshot(world, state, fresh);
  replaceState(world, state, fresh);
  world.clock.set(state.clock);
}

/**
 * Parses a snapshot. The version is checked first, so that a snapshot of another version is rejected with a clear
 * message.
 */
export function readState(sent: unknown): Snapshot {
  if (!isObject(sent))
    throw new ErrorResponse(400, "The snapshot must be a JSON object as GET /_emulator/state returns it");
  const { version } = sent as { version?: unknown };
  if (version !== VERSION) throw new ErrorResponse(400, otherVersion(version), "version");
  rejectUnsafeJson(sent, 1);
  return parseControlBody(Snapshot, sent);
}

const otherVersion = (version: unknown): string =>
  typeof version === "number" && version > VERSION
    ? `Must be ${VERSION}: version ${version} was written by a newer emulator`
    : `Must be ${VERSION}, the only version that this emulator supports`;

/** Converts a snapshot of an older version of the emulator to the current format. */
export function upgraded(world: World, state: Snapshot): Snapshot {
  const tables = Object.entries(state.tables).map(([name, { next, rows }]) => {
    const upgrade = world.tables.get(name)?.spec.upgrade;
    return [name, { next, rows: upgrade ? rows.map(upgrade) : rows }];
  });
  return { ...state, tables: Object.fromEntries(tables) };
}

/**
 * Replaces the state by the snapshot `state`, which must be valid. Tables that it does not contain are taken from
 * `fresh`. The clock is not set: callers decide whether to continue with the time of the snapshot.
 */
export function replaceState(world: World, state: Snapshot, fresh: Snapshot): void {
  for (const [name, table] of world.tables) table.load((state.tables[name] ?? fresh.tables[name]) as TableDump);
  world.random.state = state.random;
  world.schedule.reload();
}

/** Maximum number of problems in an error message. */
const NAMED = 20;

export type Rows = readonly Readonly<Record<string, unknown> & Row>[];

/**
 * Throws unless all rows are valid, have unique ids, and refer only to rows that exist. The error names table, row and
 * field of each problem.
 */
export function validateSnapshot(world: World, state: Snapshot, fresh: Snapshot): void {
  const problems = new Reasons();
  const rowsOf = (name: string): Rows => (state.tables[name] ?? fresh.tables[name])?.rows ?? [];
  const ids = new Map<string, ReadonlySet<Key>>();
  const idsOf = (name: string): ReadonlySet<Key> => {
    const cached = ids.get(name) ?? new Set(rowsOf(name).map(({ id }) => id));
    ids.set(name, cached);
    return cached;
  };
  for (const [name, { rows }] of Object.entries(state.tables)) {
    const field = `tables.${name}`;
    const table = world.tables.get(name);
    if (!table) problems.add(`There is no such table; expected ${oneOf([...world.tables.keys()])}`, field);
    else {
      for (const [id, reason] of idProblems(rows)) problems.add(reason, `${field}.${id}`);
      for (const [at, row] of rows.entries()) {
        for (const [path, reason] of rowProblems(world, table, row, idsOf))
          problems.add(reason, `${field}.rows.${at}.${path}`);
        if (problems.list.length >= NAMED) break;
      }
    }
    if (problems.list.length >= NAMED) break;
  }
  if (problems.list.length > 0) throw new ErrorResponse(400, problems.list.slice(0, NAMED));
}

type Problem = readonly [path: string, reason: string];

/** Finds duplicate ids, and tables in which some ids are numbers and others are texts. */
function* idProblems(rows: Rows): Iterable<Problem> {
  const places = new Map<Key, number>();
  for (const [at, { id }] of rows.entries()) {
    const other = places.get(id);
    if (other !== undefined) yield [`rows.${at}.id`, `Row ${other} has the same id, ${JSON.stringify(id)}`];
    else if (typeof id !== typeof rows[0]?.id)
      yield [`rows.${at}.id`, `Must be a ${typeof rows[0]?.id}, like the other ids of the table`];
    places.set(id, at);
  }
}

/** Finds invalid fields of a row, and references to rows that do not exist. `idsOf` returns the ids of a table. */
export function* rowProblems(
  world: World,
  { name, spec: { refs = {}, shape } }: Table<Row>,
  row: Rows[number],
  idsOf: (table: string) => Pick<ReadonlySet<Key>, "has">,
): Iterable<Problem> {
  for (const time of ["created", "updated"])
    if (row[time] != null && !z.safeParse(Time, row[time]).success)
      yield [time, "Must be a time like 2022-01-31T12:00:00"];
  if ((name === "timers" || name === "jobs") && !world.tasks.has(String(row.task)))
    yield ["task", `There is no task ${JSON.stringify(row.task)}`];
  for (const [field, schema] of shape ? Object.entries(fieldsOf(shape)) : []) {
    const result = z.safeParse(schema, row[field], { reportInput: true });
    for (const { path, reason } of result.success ? [] : problemsOf(result.error.issues))
      yield [[field, ...path].join("."), sentence(reason)];
  }
  for (const [field, table] of Object.entries<string | undefined>(refs)) {
    const value = row[field];
    if (table === undefined || value == null) continue;
    for (const id of Array.isArray(value) ? value : [value])
      if (!idsOf(table).has(id)) yield [field, `There is no row ${JSON.stringify(id)} in the table ${table}`];
  }
}
