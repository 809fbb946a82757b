import { z } from "zod";
import {
  type Area,
  entryOf,
  fieldsOf,
  isObject,
  metaOf,
  type Operation,
  pathNames,
  type Received,
  type Result,
} from "../../api";
import { Collection, type Source } from "./collection";
import { CallEnded, endingOf } from "./ending";
import { isPaged } from "./envelope";
import { CancelledError, isNotFound } from "./errors";
import type { NamedOperation } from "./interceptors/call";
import type { Age, Row } from "./observations";
import type { Contract } from "./operation-calls";
import { PAGE_SIZE } from "./pages";
import type { Input } from "./request";
import { type Time, unlessAborted } from "./time";
import type { Send } from "./transport";

/** API areas with an operation `view` that reads one object, such as `volumes`. */
export type Viewed<C> = { [A in keyof C]: "view" extends keyof C[A] ? A : never }[keyof C];

type View<C, A extends keyof C> = C[A] extends { view: infer O extends Operation } ? O : never;

interface ViewOptions {
  /**
   * Maximum age of a cached object. Defaults to `recent`: the object may be from a list that was read a few seconds ago.
   */
  age?: Age;
  signal?: AbortSignal | undefined;
  /** Time at which to stop trying, in milliseconds by this machine's clock. */
  deadline?: number | undefined;
}

export interface Reads<C> {
  /**
   * The object with the given path parameters, or undefined if it does not exist. Simultaneous reads of a collection
   * are combined. The object may be cached for as long as `age` allows, but is never older than the last change by this
   * process.
   */
  view<A extends Viewed<C>>(
    area: A,
    path: Received<View<C, A>>["path"],
    options?: ViewOptions,
  ): Promise<Result<View<C, A>> | undefined>;
}

interface SharedReads<C> extends Reads<C> {
  /** Sends a change, and then updates or discards the cached objects that the change affects. */
  change(named: NamedOperation, input: Input, send: () => Promise<unknown>): Promise<unknown>;
}

export function sharedReads<C extends Contract<C>>(
  contract: C,
  send: Send,
  time: Omit<Time, "sleep">,
  pageSize = PAGE_SIZE,
): SharedReads<C> {
  const collections = new Map<string, CachedCollection>();
  const operationsOf = (area: PropertyKey) => contract[area as keyof C] as Area;

  function collectionOf(area: string, parents: Row): Collection {
    const key = JSON.stringify([area, ...Object.values(parents)]);
    const cached = collections.get(key);
    if (cached) return cached.collection;
    const created = new CachedCollection(area, parents, operationsOf(area), send, time, pageSize);
    collections.set(key, created);
    return created.collection;
  }

  const view = (area: PropertyKey, path: object, { age = "recent", signal, deadline }: ViewOptions = {}) => {
    const { parents, id } = splitPath(operationsOf(area).view as Operation, path as Row);
    const ending = endingOf(deadline ?? Number.POSITIVE_INFINITY, signal, time);
    return unlessAborted(collectionOf(String(area), parents).view(id, age, deadline), ending.signal)
      .catch((error) => {
        if (!(error instanceof CallEnded)) throw error;
        throw new CancelledError(`${String(area)}.view`, error.by, error.cause, "while waiting for the response");
      })
      .finally(ending.clear);
  };

  async function change(named: NamedOperation, input: Input, work: () => Promise<unknown>): Promise<unknown> {
    const area = named.name.slice(0, named.name.indexOf("."));
    const operations = operationsOf(area);
    const returnsObject = isObjectResponse(named.operation, operations);
    const affectsIds = returnsObject || named.isCreation || named.operation.method === "PUT";
    const ids = affectsIds ? idsIn(input) : undefined;
    const discard = () => {
      for (const cached of collections.values()) cached.change(area, input.path ?? {}, ids);
    };
    // The cached objects are discarded again after the change, because a read that was started during the change may
    // have returned their earlier state.
    discard();
    let result: unknown;
    try {
      result = await work();
    } finally {
      discard();
    }
    forget(named.operation, input);
    if (returnsObject && isComplete(operations, result)) {
      const { parents, id } = splitPath(operations.view as Operation, { ...input.path });
      collectionOf(area, parents).storeChanged(result.id ?? id, result);
    }
    return result;
  }

  /** Frees the memory of a deleted object and of the objects nested in it, such as the records of a deleted domain. */
  function forget({ method, path }: Operation, input: Input): void {
    const idParameter = pathNames(path).at(-1);
    if (method !== "DELETE" || idParameter === undefined || !path.endsWith(`{${idParameter}}`)) return;
    const ids = new Set([idOf(idParameter, (input.path as Row)[idParameter])]);
    for (const [key, cached] of collections)
      if (cached.isNestedIn(ids)) collections.delete(key);
      else cached.forget(ids);
  }

  return { view: view as Reads<C>["view"], change };
}

/** The cached objects of an area that have the same parents, such as the records of one domain. */
class CachedCollection {
  readonly collection: Collection;
  /** The path parameter with the object's own id. Undefined if there is only one object, such as the account. */
  readonly #idParameter: string | undefined;

  constructor(
    readonly area: string,
    readonly parents: Row,
    operations: Area,
    send: Send,
    time: Omit<Time, "sleep">,
    pageSize: number,
  ) {
    this.collection = new Collection(sourceFor(area, operations, parents, send, pageSize), time);
    const idParameter = pathNames((operations.view as Operation).path).at(-1);
    this.#idParameter = idParameter && idName(idParameter);
  }

  /**
   * Discards the cached objects with these ids, because a change may have affected them. Without ids, discards all
   * objects.
   */
  change(area: string, path: Row, ids?: ReadonlySet<string>): void {
    if (!ids) {
      this.collection.change();
      return;
    }
    const parentEntries = Object.entries(this.parents);
    const isOwnArea = area === this.area && parentEntries.every(([name, id]) => String(path[name]) === String(id));
    if (this.#idParameter === undefined ? isOwnArea : !isOwnArea && this.isNestedIn(ids)) this.collection.change();
    for (const id of this.#ownIds(ids)) this.collection.change(id);
  }

  /** Whether these cached objects are nested in an object with one of the ids, as records are in a domain. */
  isNestedIn(ids: ReadonlySet<string>): boolean {
    return Object.entries(this.parents).some(([name, id]) => ids.has(idOf(name, id)));
  }

  /** Frees the memory of the objects with these ids. Ids of other kinds of objects are ignored. */
  forget(ids: ReadonlySet<string>): void {
    for (const id of this.#ownIds(ids)) this.collection.forget(id);
  }

  #ownIds(ids: ReadonlySet<string>): string[] {
    const prefix = `${this.#idParameter} `;
    return [...ids].filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length));
  }
}

/** A uniform name for ids: `computeId` in a path equals `compute_id` in a body. */
const idName = (name: string): string => name.replace(/[_-]/g, "").toLowerCase();
const idOf = (name: string, id: unknown): string => `${idName(name)} ${id}`;

/** The ids in the path and the body of a change. Cached objects with these ids may be outdated. */
function idsIn({ path, body }: Input): Set<string> {
  const ids = new Set(Object.entries(path ?? {}).map(([name, id]) => idOf(name, id)));
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === "object") visit(inner);
      else if (name.endsWith("id")) ids.add(idOf(name, inner));
    }
  };
  visit(body);
  return ids;
}

/** Whether, according to the contract, the response to a change contains all fields that the view operation returns. */
function isObjectResponse({ method, result }: Operation, { view }: Area): boolean {
  if (!view || method === "GET" || method === "DELETE") return false;
  const entryFields = fieldsOf(result);
  const names = Object.keys(fieldsOf(view.result));
  return names.length > 0 && names.every((name) => name in entryFields);
}

/** Whether a response contains all fields that the contract requires. */
const isComplete = ({ view }: Area, result: unknown): result is Row =>
  isObject(result) &&
  Object.entries(fieldsOf((view as Operation).result)).every(
    ([name, field]) => name in result || field instanceof z.core.$ZodOptional,
  );

/** Splits path parameters into the object's own id and its parents. */
function splitPath(view: Operation, path: Row): { parents: Row; id: unknown } {
  const entries = pathNames(view.path).map((name) => [name, path[name]] as const);
  return { parents: Object.fromEntries(entries.slice(0, -1)), id: entries.at(-1)?.[1] };
}

/**
 * The operations that read the objects with the given parents: the view operation, and a list operation if it returns
 * the same fields.
 */
function sourceFor(area: string, operations: Area, parents: Row, send: Send, pageSize: number): Source {
  const view = { name: `${area}.view`, operation: operations.view as Operation };
  const idParameter = pathNames(view.operation.path).at(-1) as string;
  return {
    readOne: (id, deadline) =>
      send(view, { path: { ...parents, [idParameter]: id } }, { deadline }).catch((error) => {
        if (isNotFound(error)) return undefined;
        throw error;
      }) as Promise<Row | undefined>,
    ...listOf({ name: `${area}.list`, operation: operations.list as Operation }, view, parents, send, pageSize),
  };
}

/**
 * The list operation for the objects. Omitted if entries of the list lack fields that the view operation returns,
 * because a list then cannot replace a view.
 */
function listOf(
  list: NamedOperation,
  view: NamedOperation,
  parents: Row,
  send: Send,
  pageSize: number,
): Pick<Source, "list"> {
  const names = pathNames(view.operation.path);
  const idParameter = names.at(-1) as string;
  if (!list.operation || !isPaged(list.operation)) return {};
  if (pathNames(list.operation.path).join() !== names.slice(0, -1).join()) return {};
  const entryFields = fieldsOf(entryOf(list.operation) as Schema);
  const key = ["id", idParameter].find((name) => name in entryFields);
  if (!key || Object.keys(fieldsOf(view.operation.result)).some((name) => !(name in entryFields))) return {};
  const page = (page: number, deadline?: number, filter?: Row) =>
    send(list, { path: parents, query: { page, page_size: pageSize } }, { deadline, filter }) as Promise<{
      data: Row[];
      pages: number;
    }>;
  return { list: { key, filterable: metaOf(entryFields[key] as Schema).filterable === true, page } };
}

type Schema = Operation["result"];
