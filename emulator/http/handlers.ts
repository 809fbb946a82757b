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
import type { Task } from "../core/tasks";
import type { World } from "../core/world";
import type { Caller } from "./auth";
import type { Actions } from "./control/action";
import type { DataPlane } from "./data-plane";

/** The argument of a handler: the parsed request, the account's state, the caller, and a way to write the event. */
export type Call<O extends Operation> = Received<O> & {
  world: World;
  caller: Caller;
  /** IP address of the client. */
  address: string;
  /** Scheme, host and port that the client used, with which returned URLs begin. */
  origin: string;
  /** Writes the operation's event. Not needed if `jobs.start` was called, because jobs write their own. */
  emit: Emit<O["event"]>;
};

type Emit<A> = A extends EventAction ? (about: EventEntity<EntityOf<A>>, extra?: EventExtra<A>) => void : never;

/**
 * A table as the result of a list operation, so that filters can use the table's indexes, and only the rows of the
 * requested page are copied.
 */
export type Rows<R> = Pick<Table<Row>, "name" | "size"> & { all(): readonly Readonly<R>[] };

/**
 * A list whose entries are derived from rows. Filters and order apply to the rows; only the page's rows are converted.
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
 * List operations return all rows, as the table itself where possible. The router filters, sorts and pages them, and
 * removes fields that the contract does not define.
 */
export type HandlerResult<O extends Operation> =
  Result<O> extends Page<infer E> ? readonly Readonly<E>[] | Rows<E> | Listed<E> : Readonly<Result<O>>;

/**
 * One handler per operation of an area; a missing one is a type error. A handler validates everything before it changes
 * state, so that a rejected request has no effect; the router enforces this. Handlers that change state are
 * synchronous, so that no other request sees part of a change.
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
 * The contract's rules that span several fields of a body, which the router checks: `{ create: instanceCreateRules }`.
 */
export type Rules<A extends Area> = {
  readonly [O in keyof A]?: readonly Rule<Received<A[O]>["body"]>[];
};

/** An area's implementation of its operations. */
export interface ServedArea<A extends Area> {
  handlers: Handlers<A>;
  rules?: Rules<A>;
}

/** Everything that a file in `areas/` contributes in addition to handlers. `R` maps table names to row types. */
export type Part<R extends Record<string, Row> = Record<never, Row>> = {
  /** Tasks that the part schedules. */
  tasks?: readonly Task<never>[];
  /** Uploads or downloads that the part serves outside the API. */
  dataPlane?: DataPlane;
  /** Control actions that the part adds to the control interface, by path. */
  control?: Actions;
} & (keyof R extends never ? { tables?: undefined } : { tables: { readonly [T in keyof R]: TableSpec<R[T]> } });

/** The export of an area's file: `export const volumes: AreaModule<"volumes", { volumes: VolumeRow }> = …`. */
export type AreaModule<A extends keyof Operations, R extends Record<string, Row> = Record<never, Row>> = Part<R> &
  ServedArea<Operations[A]>;

/** Part of an area whose operations are spread over several files. */
export interface AreaFragment<A extends keyof Operations> {
  handlers: Partial<Handlers<Operations[A]>>;
  rules?: Rules<Operations[A]>;
  tasks?: readonly Task<never>[];
}
