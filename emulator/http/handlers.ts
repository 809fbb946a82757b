import type {
  Area,
  EntityOf,
  EventAction,
  EventEntity,
  Operation,
  Operations,
  Page,
  Received,
  Result,
  Rule,
} from "../../api";
import type { EventExtra } from "../core/events";
import type { Row, Table, TableSpec } from "../core/store";
import type { Task, World } from "../core/world";
import type { Caller } from "./auth";
import type { Actions } from "./control/action";
import type { DataPlane } from "./data-plane";

/** The argument of a handler: the parsed request, the account's state, the caller, and a way to write the event. */
export type Call<O extends Operation> = Received<O> & {
  world: World;
  caller: Caller;
  address: string;
  /** Scheme, host and port that the client used, with which returned URLs begin. */
  origin: string;
  /**
   * Writes the operation's event to the account's event log, if the request has changed something. Not needed after
   * `jobs.start`, because a job writes its own events.
   */
  emit: Emit<O["event"]>;
};

type Emit<A> = A extends EventAction ? (about: EventEntity<EntityOf<A>>, extra?: EventExtra<A>) => void : never;

/**
 * A table as the result of a list operation. Unlike an array, it lets filters use indexes, and only the rows of the
 * requested page are copied.
 */
export type Rows<R> = Pick<Table<Row>, "name" | "size"> & { all(): readonly Readonly<R>[] };

/**
 * A list whose entries must be computed from rows. Filters and sorting apply to the rows, and `show` converts only the
 * rows of the requested page.
 */
export interface Listed<E> {
  rows: readonly object[] | Rows<object>;
  show: (row: never) => E;
  /** Whether the newest rows are listed first. By default, the oldest are. */
  newestFirst?: boolean;
}

export const listed = <R extends object, E>(
  rows: readonly R[] | Rows<R>,
  show: (row: R) => E,
  more: Pick<Listed<E>, "newestFirst"> = {},
): Listed<E> => ({ rows, show, ...more });

/**
 * The result of a handler. A list operation returns all rows, if possible as a table; the router filters, sorts and
 * pages them, and removes fields that the API does not define.
 */
export type HandlerResult<O extends Operation> =
  Result<O> extends Page<infer E> ? readonly Readonly<E>[] | Rows<E> | Listed<E> : Readonly<Result<O>>;

/**
 * One handler per operation of an area such as `volumes`; a missing one is a type error. A handler validates everything
 * before it changes state, so that a rejected request has no effect; the router enforces this. Handlers that change
 * state are synchronous, so that no other request sees part of a change.
 */
export type Handlers<A extends Area> = {
  readonly [O in keyof A]: (
    call: Call<A[O]>,
  ) => A[O]["method"] extends "GET"
    ? HandlerResult<A[O]> | Promise<HandlerResult<A[O]>>
    : Synchronous<HandlerResult<A[O]>>;
};

/** Excludes promises, which are assignable to any type without required fields. */
type Synchronous<R> = R & { then?: never };

/**
 * Validation rules that span several fields of a request body, by operation, such as `{ create: instanceCreateRules }`.
 * The router checks them before it runs the handler.
 */
export type Rules<A extends Area> = {
  readonly [O in keyof A]?: readonly Rule<Received<A[O]>["body"]>[];
};

/** The handlers and validation rules for all operations of an area such as `volumes`. */
export interface ServedArea<A extends Area> {
  handlers: Handlers<A>;
  rules?: Rules<A>;
}

/**
 * The tables, tasks and other items that a file in `areas/` can contain in addition to handlers. `R` maps table names
 * to row types.
 */
export type Part<R extends Record<string, Row> = Record<never, Row>> = {
  /** Tasks that run later on the emulated clock, such as the end of a volume's creation. */
  tasks?: readonly Task<never>[];
  /** Handler for uploads or downloads at URLs outside the API. */
  dataPlane?: DataPlane;
  /** Endpoints below `/_emulator/`, by path and method, such as an endpoint that crashes an instance. */
  control?: Actions;
} & (keyof R extends never ? { tables?: undefined } : { tables: { readonly [T in keyof R]: TableSpec<R[T]> } });

/**
 * The type of the constant that a file in `areas/` exports: the constant `volumes` has the type `AreaModule<"volumes",
 * { volumes: VolumeRow }>`.
 */
export type AreaModule<A extends keyof Operations, R extends Record<string, Row> = Record<never, Row>> = Part<R> &
  ServedArea<Operations[A]>;

/** Some of the handlers of an area such as `instances`, whose operations are implemented in several files. */
export interface AreaFragment<A extends keyof Operations> {
  handlers: Partial<Handlers<Operations[A]>>;
  rules?: Rules<Operations[A]>;
  tasks?: readonly Task<never>[];
}
