import type { Key } from "./store";

type Entry = Readonly<Record<string, unknown>>;

/** The value at a path such as `label` or `entity.id`. */
export const at = (row: Entry, path: string): unknown =>
  path in row || !path.includes(".")
    ? row[path]
    : path.split(".").reduce<unknown>((part, key) => (part as Entry | null)?.[key], row);

/**
 * Sorted ids by the value that their rows have at a path; if the value is a list, by each of its elements. A single id
 * is stored without an array, because most labels are unique and such indexes are as large as the table.
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

  /** Replaces a row in the index by another one. Either can be absent. */
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

/** The position of the id, or where to insert it. New ids are the greatest, so the end is checked first. */
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
