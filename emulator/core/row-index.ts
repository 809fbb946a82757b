import type { Key } from "./store";

type Entry = Readonly<Record<string, unknown>>;

/**
 * The value of a row at a path such as `label` or `entity.id`. For a path through a list, such as `interfaces.label`,
 * the list of its elements' values.
 */
export const at = (row: Entry, path: string): unknown =>
  path in row || !path.includes(".") ? row[path] : path.split(".").reduce(inside, row);

const inside = (part: unknown, key: string): unknown =>
  Array.isArray(part) ? part.map((one) => inside(one, key)) : (part as Entry | null | undefined)?.[key];

/**
 * An index of a table by the value at a path. The index maps each value to the sorted ids of the rows, and a row with a
 * list is indexed by each element. A single id is stored without an array, because most labels are unique and their
 * index is as large as the table.
 */
export class RowIndex {
  readonly #path: string;
  readonly #ids = new Map<unknown, Key | Key[]>();

  constructor(path: string) {
    this.#path = path;
  }

  get(value: unknown): readonly Key[] {
    const ids = this.#ids.get(value);
    return ids === undefined ? [] : Array.isArray(ids) ? ids : [ids];
  }

  /** Updates the index when a row changes. `before` is undefined for a new row, and `after` for a removed row. */
  move(id: Key, before: object | undefined, after: object | undefined): void {
    const was = before && at(before as Entry, this.#path);
    const is = after && at(after as Entry, this.#path);
    if (before && after && was === is) return;
    if (before) for (const value of each(was)) this.#remove(value, id);
    if (after) for (const value of each(is)) this.#add(value, id);
  }

  #add(value: unknown, id: Key): void {
    const ids = this.#ids.get(value);
    if (ids === undefined) this.#ids.set(value, id);
    else if (Array.isArray(ids)) ids.splice(positionOf(ids, id), 0, id);
    else this.#ids.set(value, ids < id ? [ids, id] : [id, ids]);
  }

  #remove(value: unknown, id: Key): void {
    const ids = this.#ids.get(value);
    if (Array.isArray(ids) && ids.length > 1) ids.splice(positionOf(ids, id), 1);
    else this.#ids.delete(value);
  }
}

const each = (value: unknown): Iterable<unknown> => (Array.isArray(value) ? new Set(value) : [value]);

/**
 * The position of the id in a sorted list, or the position at which to insert it. The end is checked first, because new
 * ids are the greatest.
 */
function positionOf(ids: readonly Key[], id: Key): number {
  if ((ids[ids.length - 1] as Key) < id) return ids.length;
  let [low, high] = [0, ids.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] as Key) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
