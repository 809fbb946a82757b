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

/** What a handler gets: the request as the contract has it, the world, who asks, and the way to tell the history. */
export type Call<O extends Operation> = Received<O> & {
  world: World;
  caller: Caller;
  /** Where the request comes from, as an IP address. */
  address: string;
  /** Under which scheme, name and port the caller reaches the emulator: URLs that are given out begin with it. */
  origin: string;
  /** Writes the operation's event. Jobs write their own: what they start with `jobs.start` needs no `emit`. */
  emit: Emit<O["event"]>;
};

type Emit<A> = A extends EventAction ? (about: EventEntity<EntityOf<A>>, extra?: EventExtra<A>) => void : never;

/** A table, as lists answer with it: filters then use its indexes, and a page copies none of the other rows. */
export type Rows<R> = Pick<Table<Row>, "name" | "size"> & { all(): readonly Readonly<R>[] };

/** A list whose entries are more than its rows: filters and order look at the rows, only the page's rows are shown. */
export interface Listed<E> {
  rows: readonly object[] | Rows<object>;
  show: (row: never) => E;
  /** A table's rows are shown oldest first unless this is said. */
  newestFirst?: boolean;
}

export const listed = <R extends object, E>(
  rows: readonly R[] | Rows<R>,
  show: (row: R) => E,
  more: Pick<Listed<E>, "newestFirst"> = {},
): Listed<E> => ({ rows, show, ...more });

/**
 * Lists answer with all their rows, the table itself where that is all of it; the router filters, orders and pages. Fields
 * beyond the contract's stay inside.
 */
export type HandlerResult<O extends Operation> =
  Result<O> extends Page<infer E> ? readonly Readonly<E>[] | Rows<E> | Listed<E> : Readonly<Result<O>>;

/**
 * One handler per operation of an area; a missing one does not compile. A handler checks everything first and changes
 * the world after that, so that a refusal leaves no trace (the router makes a bug of it when it does). What changes
 * something does it at once: between two parts of it another request could see half of the change.
 */
export type Handlers<A extends Area> = {
  readonly [O in keyof A]: (
    call: Call<A[O]>,
  ) => A[O]["method"] extends "GET"
    ? HandlerResult<A[O]> | Promise<HandlerResult<A[O]>>
    : Synchronous<HandlerResult<A[O]>>;
};

/** Not a promise, which fits any type without required fields. */
type Synchronous<R> = R & { then?: never };

/** The contract's rules over several fields of a body, which the router keeps: `{ create: instanceCreateRules }`. */
export type Rules<A extends Area> = {
  readonly [O in keyof A]?: readonly Rule<Received<A[O]>["body"]>[];
};

/** What an area does for the operations that the contract has under its name. */
export interface ServedArea<A extends Area> {
  handlers: Handlers<A>;
  rules?: Rules<A>;
}

/** What a file of `areas/` adds to the service besides handlers; `R` names its tables and their rows. */
export type Part<R extends Record<string, Row> = Record<never, Row>> = {
  /** What can happen later. */
  tasks?: readonly Task<never>[];
  /** Where data goes in and out next to the API. */
  dataPlane?: DataPlane;
  /** What the control interface can do to it, by path. */
  control?: Actions;
} & (keyof R extends never ? { tables?: undefined } : { tables: { readonly [T in keyof R]: TableSpec<R[T]> } });

/** What the file of an area exports: `export const volumes: AreaModule<"volumes", { volumes: VolumeRow }> = …`. */
export type AreaModule<A extends keyof Operations, R extends Record<string, Row> = Record<never, Row>> = Part<R> &
  ServedArea<Operations[A]>;

/** Some operations of an area that has too many for one file. */
export interface AreaFragment<A extends keyof Operations> {
  handlers: Partial<Handlers<Operations[A]>>;
  rules?: Rules<Operations[A]>;
  tasks?: readonly Task<never>[];
}
