import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { tables, tasks } from "./areas";
import { openAccount } from "./areas/account/billing";
import { replaceState, rowProblems, type Snapshot, snapshot, upgraded, VERSION } from "./core/snapshot";
import type { Key, OldRow } from "./core/store";
import { createWorld, type World } from "./core/world";
import { DataFile, DataFileError } from "./data";
import { type RecoveredData, recoverRows } from "./data/salvage";

/**
 * Writes the intact part of a data file into a new one. Returns what it contains and what is lost, one line each.
 */
export function recoverData(from: string, to: string): string[] {
  if (existsSync(to)) throw new DataFileError(to, "it exists already; name a new file");
  const file = new DataFile(to);
  const recovered = recoverRows(from, dirname(resolve(to)));
  const { values, commit } = recovered;
  const pace = values && "stands" in values.clock ? "stepped" : "fast";
  const world = createWorld({ seed: values?.seed ?? 1, pace, changed: file.changed }, tables, tasks);
  openAccount(world, { isSeeded: false });
  const fresh = snapshot(world);
  const { state, removed, added } = consistent(world, recovered, fresh);
  replaceState(world, state, fresh);
  if (values) world.clock.resume(values.clock);
  file.follow(world, () => undefined);
  file.close();
  const size = Object.values(state.tables).reduce((sum, { rows }) => sum + rows.length, 0);
  const lines = [
    ...recovered.lost.map((line) => `lost: ${line}`),
    ...removed.map((line) => `left out: ${line}`),
    ...added.map((line) => `added as in a new account: ${line}`),
  ];
  if (lines.length === 0) lines.push("nothing is lost");
  return [`${to} has ${size} rows${commit === undefined ? "" : `, as of commit ${commit}`} of ${from}`, ...lines];
}

/** Makes an account of the rows: without those that need lost rows, and with those that every account has. */
function consistent(world: World, { tables, values, isComplete }: RecoveredData, fresh: Snapshot) {
  const removed: string[] = [];
  const added: string[] = [];
  const rows = new Map<string, Map<Key, OldRow>>();
  for (const [name, { rows: usual }] of Object.entries(fresh.tables)) {
    const found = tables.get(name);
    // A table that an older emulator did not have yet is not lost.
    if (!found && isComplete) continue;
    const complete = new Map(found);
    rows.set(name, complete);
    for (const row of isComplete ? [] : usual) {
      if (complete.has(row.id)) continue;
      complete.set(row.id, row);
      added.push(`the row ${row.id} of the table ${name}`);
    }
  }
  for (const name of tables.keys()) if (!rows.has(name)) removed.push(`the table ${name}, which is not known`);
  const state = upgraded(world, asSnapshot(rows, values, fresh));
  for (const [name, { rows: current }] of Object.entries(state.tables))
    rows.set(name, new Map(current.map((row) => [row.id, row])));
  // A row that is left out can be one that other rows refer to.
  for (let before = -1; before !== removed.length; ) {
    before = removed.length;
    for (const [name, ofTable] of rows) {
      const table = world.tables.get(name);
      for (const [id, row] of table ? ofTable : []) {
        const idsOf = (other: string) => rows.get(other) ?? new Map<Key, OldRow>();
        const [problem] = table ? rowProblems(world, table, row, idsOf) : [];
        if (!problem) continue;
        ofTable.delete(id);
        removed.push(`the row ${id} of the table ${name}: ${problem.join(": ")}`);
      }
    }
  }
  return { state: asSnapshot(rows, values, fresh), removed, added };
}

function asSnapshot(
  rows: ReadonlyMap<string, ReadonlyMap<Key, OldRow>>,
  values: RecoveredData["values"],
  fresh: Snapshot,
): Snapshot {
  const tables = [...rows].map(([name, ofTable]) => {
    const next = values?.next[name] ?? fresh.tables[name]?.next ?? 1;
    return [name, { next, rows: [...ofTable.values()] }];
  });
  const { seed, random } = values ?? fresh;
  return { version: VERSION, seed, random, clock: 0, tables: Object.fromEntries(tables) };
}
