import { memoryOf } from "./json";

export type Row = Record<string, unknown>;
export type Rows = Map<string, Row>;

/**
 * How old a cached object may be. `now`: the object is read again. `changed`: the object is read again, unless the
 * response to this process's last change contained it. `recent`: an object from a list that was read a few seconds ago
 * is accepted. `planned`: an object that was read a few seconds ago is accepted, in a list or on its own, for example to
 * plan an update. `any`: any cached object is accepted, for values that do not change. `deleted`: for an object that this
 * process has deleted; it is read again, and its absence in a complete list proves that it does not exist.
 */
export type Age = "now" | "changed" | "recent" | "planned" | "any" | "deleted";

/**
 * The start of a read: the time, and the number of changes that this process had made. A later change shows that the
 * result of the read is outdated.
 */
export interface ReadStart {
  at: number;
  changes: number;
}

/** Milliseconds for which a read object is cached, for callers that accept slightly outdated objects. */
export const RECENT_MS = 5_000;

/** Maximum memory of cached objects in bytes, which is enough for more than ten thousand objects. */
export const MAX_BYTES = 20_000_000;

interface CachedObject {
  row: Row;
  bytes: number;
  /**
   * Time until which a read that accepts recent list entries (`recent`) can return the object from the cache.
   * `-Infinity` unless the object is from a list.
   */
  recentUntil: number;
  /** Time until which a read for an update that was planned (`planned`) can return the object from the cache. */
  plannedUntil: number;
  /**
   * Whether the object is from the response to this process's last change, which one read after the change may use
   * instead of a request. False once a read has used it.
   */
  isFromChange: boolean;
}

const NEVER = Number.NEGATIVE_INFINITY;
const OUTDATED = { recentUntil: NEVER, plannedUntil: NEVER, isFromChange: false } as const;

/** The cached objects of a collection. An object that this process changes is marked as outdated. */
export class Observations {
  readonly #now: () => number;
  readonly #objects = new Map<string, CachedObject>();
  #bytes = 0;
  /**
   * Number of changes that this process has made. `#allChanged` is that number at the last change of all objects, and
   * `#changed` at the last change of each object.
   */
  #changes = 0;
  #allChanged = 0;
  readonly #changed = new Map<string, number>();
  #reads = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Runs a read, and remembers which objects change in the meantime. */
  async track<T>(read: () => Promise<T>): Promise<T> {
    this.#reads++;
    try {
      return await read();
    } finally {
      if (--this.#reads === 0) this.#changed.clear();
    }
  }

  startRead(): ReadStart {
    return { at: this.#now(), changes: this.#changes };
  }

  /** Whether a read that started at the given moment reflects this process's last change of the object. */
  isCurrent(id: string, { changes }: ReadStart): boolean {
    return changes >= this.#allChanged && changes >= (this.#changed.get(id) ?? 0);
  }

  /** The cached object, if it is recent enough. */
  get(id: string, age: Age): Row | undefined {
    const object = this.#objects.get(id);
    if (!object || age === "now" || age === "deleted") return undefined;
    const { row, isFromChange } = object;
    if (age === "any") return row;
    if (age === "recent") return this.#now() <= object.recentUntil ? row : undefined;
    if (age === "planned") return this.#now() <= object.plannedUntil ? row : undefined;
    object.isFromChange = false;
    return isFromChange ? row : undefined;
  }

  /**
   * Caches the result of a read, except objects that this process has changed since the read started. `recentMs`
   * is set for objects from a list: for that time, reads that accept recent list entries return the cached object.
   */
  store(rows: Rows, startedAt: ReadStart, recentMs?: number): void {
    const plannedUntil = startedAt.at + (recentMs ?? RECENT_MS);
    const overrides = { plannedUntil, ...(recentMs !== undefined && { recentUntil: plannedUntil }) };
    for (const [id, row] of rows) if (this.isCurrent(id, startedAt)) this.#set(id, row, overrides);
  }

  storeChanged(id: string, row: Row): void {
    this.#set(id, row, { isFromChange: true });
  }

  /** Removes an object from the cache, because this process has deleted it. */
  forget(id: string): void {
    this.#bytes -= this.#objects.get(id)?.bytes ?? 0;
    this.#objects.delete(id);
  }

  /** Marks the cached object as outdated, because this process is changing it. Without an id, marks all objects. */
  change(id?: string): void {
    this.#changes++;
    if (id === undefined) this.#allChanged = this.#changes;
    else if (this.#reads > 0) this.#changed.set(id, this.#changes);
    const outdated = id === undefined ? [...this.#objects.values()] : [this.#objects.get(id)];
    for (const object of outdated) if (object) Object.assign(object, OUTDATED);
  }

  #set(id: string, row: Row, overrides: Partial<CachedObject>): void {
    const { recentUntil, plannedUntil, bytes } = this.#objects.get(id) ?? { ...OUTDATED, bytes: 0 };
    const object = { row, bytes: memoryOf(row), recentUntil, plannedUntil, isFromChange: false, ...overrides };
    this.#bytes += object.bytes - bytes;
    this.#objects.set(id, object);
    if (this.#bytes <= MAX_BYTES) return;
    this.#objects.clear();
    this.#bytes = 0;
  }
}
