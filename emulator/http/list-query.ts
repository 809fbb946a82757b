import { type Key, type Row, Table } from "../core/store";
import type { Filter } from "./filter";
import type { Listed } from "./handlers";

type Entry = Readonly<Record<string, unknown>>;
type Test = (row: Entry) => boolean;

/** The rows that a list query selects: their number, and any range of them. */
export interface QueriedRows {
  length: number;
  slice(from: number, to: number): readonly Entry[];
}

/** The matching rows, in order. If an index applies, only the rows that it returns are read. */
export function queryList({ rows, newestFirst }: Listed<unknown>, filter: Filter | undefined, may?: Test): QueriedRows {
  if (!(rows instanceof Table)) return sifted(rows as readonly Entry[], filter, may);
  const table = rows as unknown as Table<Row & Entry>;
  if (!may && !newestFirst) {
    if (!filter) return { length: table.size, slice: (from, to) => table.slice(from, to) };
    const ids = filter.isSingleEquality && !filter.order ? indexed(table, filter) : undefined;
    if (ids) return { length: ids.length, slice: (from, to) => ids.slice(from, to).map((id) => table.get(id)) };
  }
  const seen = table.view(`${newestFirst ? "newest" : "oldest"} ${filter?.text ?? ""}`, () => {
    const ids = filter && indexed(table, filter);
    const some = ids ? ids.map((id) => table.get(id)) : table.all();
    return sifted(newestFirst ? some.toReversed() : some, filter) as readonly Readonly<Row & Entry>[];
  });
  return may ? seen.filter(may) : seen;
}

function sifted(rows: readonly Entry[], filter: Filter | undefined, may?: Test): readonly Entry[] {
  let seen = rows;
  if (may) seen = seen.filter(may);
  if (filter) seen = seen.filter(filter.matches);
  return filter?.order ? seen.toSorted(filter.order) : seen;
}

/**
 * The ids of the rows that meet one equality condition of the filter: the one with the fewest rows. Undefined without
 * such a condition, and if ids are texts such as `us-east`: an index is sorted by id, but lists are returned in the
 * order of creation, which only numeric ids reflect.
 */
function indexed(table: Table<Row & Entry>, { equal }: Filter): readonly Key[] | undefined {
  let fewest: readonly Key[] | undefined;
  for (const [path, value] of equal) {
    const ids = table.idsBy(path, value);
    if (!fewest || ids.length < fewest.length) fewest = ids;
  }
  return typeof fewest?.[0] === "string" ? undefined : fewest;
}
