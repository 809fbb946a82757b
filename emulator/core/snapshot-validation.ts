import { z } from "zod";
import { fieldsOf, oneOf, problemsOf, Time } from "../../api";
import { Reasons, Refusal, sentence } from "./refusal";
import type { Snapshot } from "./snapshot";
import type { Key, Row, Table } from "./store";
import type { World } from "./world";

/** Maximum number of problems in an error message. */
const NAMED = 20;

export type Rows = readonly Readonly<Record<string, unknown> & Row>[];

/**
 * Throws unless all rows are valid, have unique ids, and refer only to rows that exist. The error names table, row and
 * field of each problem.
 */
export function validateSnapshot(world: World, given: Snapshot, fresh: Snapshot): void {
  const problems = new Reasons();
  const rowsOf = (name: string): Rows => (given.tables[name] ?? fresh.tables[name])?.rows ?? [];
  const ids = new Map<string, ReadonlySet<Key>>();
  const idsOf = (name: string): ReadonlySet<Key> => {
    const cached = ids.get(name) ?? new Set(rowsOf(name).map(({ id }) => id));
    ids.set(name, cached);
    return cached;
  };
  for (const [name, { rows }] of Object.entries(given.tables)) {
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
  if (problems.list.length > 0) throw new Refusal(400, problems.list.slice(0, NAMED));
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
