import { type Area, entryOf, fieldsOf, metaOf, type Operation, pathNames, type Received, type Result } from "../../api";
import { Collection, type Row, type Source } from "./collection";
import { Ended, endingOf } from "./ending";
import { isPaged } from "./envelope";
import { CancelledError, isNotFound } from "./errors";
import type { Contract } from "./operation-calls";
import { PAGE_SIZE } from "./pages";
import type { Named } from "./request";
import { type Time, unlessAborted } from "./time";
import type { Send } from "./transport";

/** Areas whose objects can be looked at one by one. */
export type Viewed<C> = { [A in keyof C]: "view" extends keyof C[A] ? A : never }[keyof C];

type View<C, A extends keyof C> = C[A] extends { view: infer O extends Operation } ? O : never;

interface Looking {
  /** What is read must not be older than now. */
  fresh?: boolean;
  signal?: AbortSignal | undefined;
  /** When to stop trying, in milliseconds by this machine's clock. */
  deadline?: number | undefined;
}

export interface Reads<C> {
  /**
   * The object at a path, or undefined when there is none. Reads of one collection are put together: what comes may be
   * up to five seconds old, but never older than our own last change; with `fresh` it is read from now on.
   */
  view<A extends Viewed<C>>(
    area: A,
    path: Received<View<C, A>>["path"],
    options?: Looking,
  ): Promise<Result<View<C, A>> | undefined>;
}

interface Shared<C> extends Reads<C> {
  /** Something was changed: what is known may be wrong. */
  forget(): void;
}

export function sharedReads<C extends Contract<C>>(contract: C, send: Send, time: Omit<Time, "sleep">): Shared<C> {
  const collections = new Map<string, Collection>();

  function collectionOf(area: string, parents: Row): Collection {
    const key = JSON.stringify([area, ...Object.values(parents)]);
    const known = collections.get(key);
    if (known) return known;
    const collection = new Collection(sourceOf(area, contract[area as keyof C] as Area, parents, send), time);
    collections.set(key, collection);
    return collection;
  }

  const view = (area: PropertyKey, path: object, { fresh = false, signal, deadline }: Looking = {}) => {
    const names = pathNames((contract[area as keyof C] as Area).view?.path ?? "");
    const entries = names.map((name) => [name, (path as Row)[name]] as const);
    const id = entries.at(-1)?.[1];
    const collection = collectionOf(String(area), Object.fromEntries(entries.slice(0, -1)));
    const ending = endingOf(deadline ?? Number.POSITIVE_INFINITY, signal, time);
    return unlessAborted(collection.view(id, fresh, deadline), ending.signal)
      .catch((error) => {
        if (!(error instanceof Ended)) throw error;
        throw new CancelledError(`${String(area)}.view`, error.by, error.cause, "while waiting for the response");
      })
      .finally(ending.clear);
  };

  return {
    view: view as Reads<C>["view"],
    forget: () => {
      for (const collection of collections.values()) collection.forget();
    },
  };
}

/** How the objects under some parents are read. */
function sourceOf(area: string, operations: Area, parents: Row, send: Send): Source {
  const view = { name: `${area}.view`, operation: operations.view as Operation };
  const last = pathNames(view.operation.path).at(-1) as string;
  return {
    one: (id, deadline) =>
      send(view, { path: { ...parents, [last]: id } }, { deadline }).catch((error) => {
        if (isNotFound(error)) return undefined;
        throw error;
      }) as Promise<Row | undefined>,
    ...listOf({ name: `${area}.list`, operation: operations.list as Operation }, view, parents, send),
  };
}

/** The part of a source that a list gives; nothing where the list does not show all that a view shows. */
function listOf(list: Named, view: Named, parents: Row, send: Send): Pick<Source, "list"> {
  const names = pathNames(view.operation.path);
  const last = names.at(-1) as string;
  if (!list.operation || !isPaged(list.operation)) return {};
  if (pathNames(list.operation.path).join() !== names.slice(0, -1).join()) return {};
  const shown = fieldsOf(entryOf(list.operation) as Schema);
  const key = ["id", last].find((name) => name in shown);
  if (!key || Object.keys(fieldsOf(view.operation.result)).some((name) => !(name in shown))) return {};
  const page = (page: number, deadline?: number, filter?: Row) =>
    send(list, { path: parents, query: { page, page_size: PAGE_SIZE } }, { deadline, filter }) as Promise<{
      data: Row[];
      pages: number;
    }>;
  return { list: { key, filterable: metaOf(shown[key] as Schema).filterable === true, page } };
}

type Schema = Operation["result"];
