import type { Host } from "./host";
import { idOf } from "./id";
import type { Bag, Kind } from "./resource";

/**
 * The creations of one kind over one connection. Where several make objects that are alike, one whose answer was lost
 * must not take another's object for its own.
 */
class Creations {
  readonly #owned = new Set<string>();
  readonly #underWay = new Set<Promise<unknown>>();
  #search: Promise<unknown> = Promise.resolve();

  constructor(readonly kind: Kind) {}

  /** Makes an object, which has an owner from then on. */
  async own(creation: Promise<Bag>): Promise<Bag> {
    this.#underWay.add(creation);
    try {
      const path = await creation;
      this.#owned.add(idOf(this.kind, path));
      return path;
    } finally {
      this.#underWay.delete(creation);
    }
  }

  /** Looks for a lost object among those without an owner. One search at a time: what is found has one then. */
  search({ inTime }: Pick<Host, "inTime">, find: () => Promise<Bag[]>): Promise<Bag[]> {
    const turn = inTime(this.#search, `another search for a lost ${this.kind.kind}`);
    const found = turn.then(async () => {
      const all = await find();
      // What was made meanwhile gets its owner with its answer.
      await inTime(Promise.allSettled(this.#underWay), `the other creates of kind ${this.kind.kind}`);
      const free = all.filter((path) => !this.#owned.has(idOf(this.kind, path)));
      if (free.length === 1) for (const path of free) this.#owned.add(idOf(this.kind, path));
      return free;
    });
    this.#search = Promise.allSettled([this.#search, found]);
    return found;
  }

  /** The object is gone; its id may come back. */
  disown(id: string): void {
    this.#owned.delete(id);
  }
}

const all = new WeakMap<Host["connection"], Map<string, Creations>>();

export function creationsOf(kind: Kind, { connection }: Pick<Host, "connection">): Creations {
  const kinds = all.get(connection) ?? new Map<string, Creations>();
  all.set(connection, kinds);
  const creations = kinds.get(kind.kind) ?? new Creations(kind);
  kinds.set(kind.kind, creations);
  return creations;
}
