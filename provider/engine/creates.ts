import { z } from "zod";
import { isInDoubt } from "../client/errors";
import { isEqual } from "./comparison";
import { inputSchema, type Kind } from "./definition";
import { type Host, perConnection } from "./host";
import { idOf, isPart, objectsKey, ownedIds } from "./identity";
import type { Bag } from "./values";

/** The search for the object of one lost create request. */
interface Search {
  /** The inputs by which the object is recognized. Equal requests have equal inputs. */
  match: Bag;
  /** Whether this process has sent the request and has lost its response. */
  isLostHere: boolean;
  /** The inputs of requests of an interrupted run whose objects are missing as well. */
  interrupted?: readonly Bag[];
  /** Finds the objects that match the request, the most similar ones first. */
  find(): Promise<Match[]>;
}

/** An object that a lost create request may have created. */
export interface Match {
  path: Bag;
  /** Whether the object has other values than the request, so that another request may have created it. */
  differs: boolean;
  /** Whether the object has the values by which the object of another request is recognized. */
  isRecognizedBy(match: Bag): boolean;
}

/** A value without nulls and empty lists, which mean the same as omitted inputs, and the number of its parts. */
function withoutEmpty(value: unknown): { value: unknown; parts: number } {
  if (typeof value !== "object" || value === null) return { value: value ?? undefined, parts: value == null ? 0 : 1 };
  const entries = Object.entries(value)
    .map(([key, part]) => [key, withoutEmpty(part)] as const)
    .filter(([, { parts }]) => parts > 0);
  return {
    value: Object.fromEntries(entries.map(([key, part]) => [key, part.value])),
    parts: entries.reduce((sum, [, { parts }]) => sum + parts, 0),
  };
}

/** The inputs without empty ones. An empty list of an input that accepts null is not empty: null has another meaning. */
function nonEmpty(kind: Kind, match: Bag): ReturnType<typeof withoutEmpty> {
  const isOwnValue = ([key, value]: [string, unknown]) =>
    key in kind.fields &&
    Array.isArray(value) &&
    value.length === 0 &&
    z.safeParse(inputSchema(kind, key), null).success;
  return withoutEmpty(
    Object.fromEntries(Object.entries(match).map((entry) => [entry[0], isOwnValue(entry) ? "[]" : entry[1]])),
  );
}

/** The requests that create the same objects, also as a second kind, in this process. */
interface SharedRequests {
  readonly inProgress: Set<Promise<unknown>>;
  /** The last search for a lost object. */
  search: Promise<unknown>;
}

/**
 * The create requests for one resource class in this process. A search for a lost object waits for those that create the
 * same objects, so that it does not return an object that another request has just created.
 */
class CreateRequests {
  /** The inputs of requests whose response was lost and whose objects are not found yet. */
  readonly #lost: Bag[] = [];

  constructor(
    readonly kind: Kind,
    readonly owned: Set<string>,
    readonly shared: SharedRequests,
  ) {}

  /** Runs a create request. Its object then belongs to a resource, so searches for lost objects no longer return it. */
  async run(match: Bag, creation: Promise<Bag>): Promise<Bag> {
    this.shared.inProgress.add(creation);
    try {
      const path = await creation;
      this.owned.add(idOf(this.kind, path));
      return path;
    } catch (error) {
      if (isInDoubt(error)) this.#lost.push(match);
      throw error;
    } finally {
      this.shared.inProgress.delete(creation);
    }
  }

  /** Ends the search for the object of a lost request, whether it was found or not. */
  endSearch(match: Bag): void {
    const i = this.#lost.findIndex((lost) => this.#isSame(lost, match));
    if (i >= 0) this.#lost.splice(i, 1);
  }

  /**
   * Searches for a lost object among the objects that do not belong to a resource of this process. Searches run one at
   * a time, so that two of them cannot return the same object. If several equal requests were lost and there are no more
   * objects than requests, each request gets one of the objects, because it does not matter which one. An object that
   * another lost request describes with more inputs is left to that request. A search that finds an object with other
   * values than those of its request runs again after those of other lost requests, because the object may be theirs.
   */
  async search(host: Pick<Host, "withDeadline" | "connection">, search: Search): Promise<Bag[]> {
    return (await this.#searched(host, search, true)) ?? (await this.#searched(host, search, false)) ?? [];
  }

  /** Undefined if the search gives way to others. */
  #searched(
    host: Pick<Host, "withDeadline" | "connection">,
    { match, isLostHere, interrupted = [], find }: Search,
    givesWay: boolean,
  ): Promise<Bag[] | undefined> {
    const { withDeadline } = host;
    const previous = withDeadline(
      this.shared.search,
      `another search for a ${this.kind.name} whose create response was lost`,
    );
    const found = previous.then(async () => {
      const matches = await find();
      // Another create request in progress may have created one of these objects. Its response shows which one.
      await withDeadline(
        Promise.allSettled(this.shared.inProgress),
        `other create requests for the kind ${this.kind.name}`,
      );
      const lost = isLostHere ? this.#lost : [match, ...this.#lost];
      const others = [...lost, ...interrupted].filter((other) => !this.#isSame(other, match));
      const equal = lost.length + interrupted.length - others.length;
      const isManaged = (path: Bag) => this.owned.has(idOf(this.kind, path)) || isPart(this.kind, host, path);
      const unmanaged = matches.filter(({ path }) => !isManaged(path));
      const { own, requests } = this.#leftBy(others, match, equal, unmanaged);
      if (givesWay && lost.length > 1 && own.some(({ differs }) => differs)) return undefined;
      const [first, ...more] = own.map(({ path }) => path);
      if (first === undefined) return [];
      if (own.length > requests) return [first, ...more];
      this.owned.add(idOf(this.kind, first));
      return [first];
    });
    this.shared.search = Promise.allSettled([this.shared.search, found]);
    return found;
  }

  /** Whether two requests have the same inputs, so that it does not matter which of them created an object. */
  #isSame(one: Bag, other: Bag): boolean {
    return isEqual(nonEmpty(this.kind, one).value, nonEmpty(this.kind, other).value);
  }

  /**
   * The objects without those that other lost requests describe with more inputs, such as a pool with tags if only the
   * other request has tags, and the number of requests that may have created them. If there are more such objects than
   * such requests, all objects: the further inputs are defaults of the service, and do not distinguish the objects.
   */
  #leftBy(
    others: readonly Bag[],
    match: Bag,
    equal: number,
    found: readonly Match[],
  ): { own: readonly Match[]; requests: number } {
    const partsOf = (one: Bag): number => nonEmpty(this.kind, one).parts;
    const precise = others.filter((other) => partsOf(other) > partsOf(match));
    const own = found.filter((one) => !precise.some(one.isRecognizedBy));
    const isDistinct = found.length - own.length <= precise.length;
    return isDistinct ? { own, requests: equal } : { own: found, requests: equal + precise.length };
  }
}

const sharedRequests = perConnection(() => new Map<string, SharedRequests>());
const requestsOf = perConnection(() => new Map<string, CreateRequests>());

export function createRequestsOf(kind: Kind, host: Host): CreateRequests {
  const [byObjects, byKind] = [sharedRequests(host), requestsOf(host)];
  const objects = objectsKey(kind);
  const shared = byObjects.get(objects) ?? { inProgress: new Set(), search: Promise.resolve() };
  byObjects.set(objects, shared);
  const requests = byKind.get(kind.name) ?? new CreateRequests(kind, ownedIds(kind, host), shared);
  byKind.set(kind.name, requests);
  return requests;
}
