import { isInDoubt } from "../client/errors";
import type { Kind } from "./definition";
import { type Host, perConnection } from "./host";
import { idOf, ownedIds } from "./identity";
import type { Bag } from "./values";

/** The search for the object of one lost create request. */
interface Search {
  /** The inputs by which the object is recognized. Equal requests have equal inputs. */
  match: string;
  /**
   * Number of requests with these inputs whose objects are also missing, but which are not counted as lost in this
   * process: the request itself if its own response was not lost, and requests of an interrupted run.
   */
  uncounted?: number;
  /** Finds the objects that match the request, the most similar ones first. */
  find(): Promise<Bag[]>;
}

/**
 * The create requests for one resource class in this process. A search for a lost object waits for them, so that it
 * does not return an object that another request has just created.
 */
class Creates {
  readonly #underWay = new Set<Promise<unknown>>();
  #search: Promise<unknown> = Promise.resolve();
  /** Number of requests whose response was lost and whose objects are not found yet, by the inputs in `match`. */
  readonly #lost = new Map<string, number>();

  constructor(
    readonly kind: Kind,
    readonly owned: Set<string>,
  ) {}

  /** Runs a create request. Its object then belongs to a resource, so searches for lost objects no longer return it. */
  async run(match: string, creation: Promise<Bag>): Promise<Bag> {
    this.#underWay.add(creation);
    try {
      const path = await creation;
      this.owned.add(idOf(this.kind, path));
      return path;
    } catch (error) {
      if (isInDoubt(error)) this.#count(match, 1);
      throw error;
    } finally {
      this.#underWay.delete(creation);
    }
  }

  /** Ends the search for the object of a lost request, whether it was found or not. */
  ended(match: string): void {
    this.#count(match, -1);
  }

  /**
   * Searches for a lost object among the objects that do not belong to a resource of this process. Searches run one at
   * a time, so that two of them cannot return the same object. If several equal requests were lost and there are no more
   * objects than requests, each request gets one of the objects, because it does not matter which one.
   */
  search({ inTime }: Pick<Host, "inTime">, { match, uncounted = 0, find }: Search): Promise<Bag[]> {
    const turn = inTime(this.#search, `another search for a ${this.kind.name} whose create response was lost`);
    const found = turn.then(async () => {
      const all = await find();
      // Another create request in progress may have created one of these objects. Its response shows which one.
      await inTime(Promise.allSettled(this.#underWay), `other create requests for the kind ${this.kind.name}`);
      const free = all.filter((path) => !this.owned.has(idOf(this.kind, path)));
      const [first] = free;
      if (first === undefined || free.length > (this.#lost.get(match) ?? 0) + uncounted) return free;
      this.owned.add(idOf(this.kind, first));
      return [first];
    });
    this.#search = Promise.allSettled([this.#search, found]);
    return found;
  }

  #count(match: string, more: 1 | -1): void {
    this.#lost.set(match, Math.max(0, (this.#lost.get(match) ?? 0) + more));
  }
}

const creates = perConnection(() => new Map<string, Creates>());

export function createsOf(kind: Kind, host: Host): Creates {
  const kinds = creates(host);
  const found = kinds.get(kind.name) ?? new Creates(kind, ownedIds(kind, host));
  kinds.set(kind.name, found);
  return found;
}
