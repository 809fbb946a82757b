import type { World } from "../emulator/core/world";
import type { Values } from "../emulator/data/seal";
import { type Begin, failIfUnreadable } from "../emulator/data/writing";

/** Writes to a data file as the emulator did when its format (1) had no checks. */
export const unchecked: Begin = (db, _files, world) => {
  db.exec("ALTER TABLE rows DROP COLUMN sum");
  const set = db.prepare("INSERT INTO account VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value");
  const put = db.prepare(
    "INSERT INTO rows (tbl, id, row) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET row = excluded.row",
  );
  const remove = db.prepare("DELETE FROM rows WHERE tbl = ? AND id = ?");
  let written: Values = [];
  return {
    write(changes) {
      const values = valuesOf(world);
      const fresh = values.filter(([, value], at) => written[at]?.[1] !== value);
      db.exec("BEGIN IMMEDIATE");
      for (const [name, value] of fresh) set.run(name, value);
      for (const [name, rows] of changes) {
        const table = world.tables.get(name);
        for (const [id, change] of rows) {
          const row = table?.find(id);
          if (table && row) failIfUnreadable(world, table, row);
          if (change !== "written") remove.run(name, id);
          if (row) put.run(name, id, JSON.stringify(row));
        }
      }
      db.exec("COMMIT");
      written = values;
    },
    acknowledge() {},
    end() {},
  };
};

const valuesOf = ({ seed, random, clock, tables }: World): Values => [
  ["seed", String(seed)],
  ["random", String(random.state)],
  ["clock", JSON.stringify(clock.stored)],
  ["next", JSON.stringify(Object.fromEntries([...tables].map(([name, { next }]) => [name, next])))],
];
