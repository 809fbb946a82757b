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
  find(): Promise<Match[]>;
}

/** An object that a lost create request may have created. */
export interface Match {
  path: Bag;
  /** Whether the object has other values than the request, so that another request may have created it. */
  differs: boolean;
}

/**
 * The create requests for one resource class in this process. A search for a lost object waits for them, so that it
 * does not return an object that another request has just created.
 */
class CreateRequests {
  readonly #inProgress = new Set<Promise<unknown>>();
  #search: Promise<unknown> = Promise.resolve();
  /** Number of requests whose response was lost and whose objects are not found yet, by the inputs in `match`. */
  readonly #lost = new Map<string, number>();

  constructor(
    readonly kind: Kind,
    readonly owned: Set<string>,
  ) {}

  /** Runs a create request. Its object then belongs to a resource, so searches for lost objects no longer return it. */
  async run(match: string, creation: Promise<Bag>): Promise<Bag> {
    this.#inProgress.add(creation);
    try {
      const path = await creation;
      this.owned.add(idOf(this.kind, path));
      return path;
    } catch (error) {
      if (isInDoubt(error)) this.#countLost(match, 1);
      throw error;
    } finally {
      this.#inProgress.delete(creation);
    }
  }

  /** Ends the search for the object of a lost request, whether it was found or not. */
  endSearch(match: string): void {
    this.#countLost(match, -1);
  }

  /**
   * Searches for a lost object among the objects that do not belong to a resource of this process. Searches run one at
   * a time, so that two of them cannot return the same object. If several equal requests were lost and there are no more
   * objects than requests, each request gets one of the objects, because it does not matter which one. A search that
   * finds an object with other values than those of its request runs again after those of other lost requests, because
   * the object may be theirs.
   */
  async search(host: Pick<Host, "withDeadline">, search: Search): Promise<Bag[]> {
    return (await this.#searched(host, search, true)) ?? (await this.#searched(host, search, false)) ?? [];
  }

  /** Undefined if the search gives way to others. */
  #searched(
    { withDeadline }: Pick<Host, "withDeadline">,
    { match, uncounted = 0, find }: Search,
    givesWay: boolean,
  ): Promise<Bag[] | undefined> {
    const previous = withDeadline(
      this.#search,
      `another search for a ${this.kind.name} whose create response was lost`,
    );
    const found = previous.then(async () => {
      const matches = await find();
      // Another create request in progress may have created one of these objects. Its response shows which one.
      await withDeadline(Promise.allSettled(this.#inProgress), `other create requests for the kind ${this.kind.name}`);
      const unmanaged = matches.filter(({ path }) => !this.owned.has(idOf(this.kind, path)));
      const others = [...this.#lost.values()].reduce((sum, count) => sum + count, uncounted ? 0 : -1);
      if (givesWay && others > 0 && unmanaged.some(({ differs }) => differs)) return undefined;
      const [first, ...more] = unmanaged.map(({ path }) => path);
      if (first === undefined) return [];
      if (unmanaged.length > (this.#lost.get(match) ?? 0) + uncounted) return [first, ...more];
      this.owned.add(idOf(this.kind, first));
      return [first];
    });
    this.#search = Promise.allSettled([this.#search, found]);
    return found;
  }

  #countLost(match: string, by: 1 | -1): void {
    this.#lost.set(match, Math.max(0, (this.#lost.get(match) ?? 0) + by));
  }
}

const requestsOf = perConnection(() => new Map<string, CreateRequests>());

export function createRequestsOf(kind: Kind, host: Host): CreateRequests {
  const byKind = requestsOf(host);
  const requests = byKind.get(kind.name) ?? new CreateRequests(kind, ownedIds(kind, host));
  byKind.set(kind.name, requests);
  return requests;
}
