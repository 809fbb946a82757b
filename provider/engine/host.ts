import { type Catalogue, reasons } from "../../api";
import type { Client } from "../client";
import { callsUntil } from "../client/calls-until";
import { endingOf } from "../client/ending";
import { ApiError } from "../client/errors";
import type { ServerTime } from "../client/interceptors/clock";
import { type Time, unlessAborted } from "../client/time";
import type { Kind } from "./definition";
import { DeadlineError, InitFailed, isLate, LateError } from "./errors";

/** A connection to an account: the API calls, clock and messages that the engine uses. */
export interface Host {
  api: Client["api"];
  reads: Client["reads"];
  data: Client["data"];
  catalogues: Catalogues;
  /** Identifies the connection. Data that is cached about an account is stored per connection. */
  connection: object;
  /** The stack's configuration, except for the connection settings. */
  settings: Settings;
  /** The time limits that the program declares for this resource, such as `{ create: "20m" }`. */
  limits?: Partial<Record<Limited, string>>;
  /**
   * The API address of the last update, if the address has changed since then. An object that does not exist at the
   * current address may exist at the address of the last update.
   */
  lastUpdateAt?: string;
  /** Records of create requests, by which a later run finds the object if this process or the engine is killed. */
  attempts?: Attempts;
  /** End of the current operation, in milliseconds by this machine's clock. All calls, reads and waits stop then. */
  deadline: number;
  /**
   * The same connection with additional time after the deadline, for reading the state in which an operation has left
   * the object.
   */
  grace(): Host;
  /**
   * The result of a promise, or an error if the deadline passes first. In the error message, `what` follows "while
   * waiting for".
   */
  inTime<T>(work: Promise<T>, what: string): Promise<T>;
  /** Milliseconds since 1970 by this machine's clock. */
  now(): number;
  timer: Time["timer"];
  /** The time of the service's clock. Before the first response, the time of this machine's clock. */
  serverTime(): ServerTime;
  /** Schedules the polls of a new waiter. Each call of the returned function sleeps until the waiter's next poll. */
  pollSchedule: Client["pollSchedule"];
  /** Shows a warning, with the name of the resource. */
  warn(message: string): void;
  /** Shows the progress of a long wait. */
  progress(message: string): void;
}

/** The argument of all functions in the definition of a resource class. */
export interface Context<W> {
  host: Host;
  api: Host["api"];
  want: W;
}

/** A create request: the facts by which its object is recognized and, after the response, the object's id. */
export interface Attempt {
  /** The service's time when the request was sent, as estimated. */
  since: number;
  /**
   * The service's time in the last response before the request. The created object is not older than this time, even if
   * the estimate was wrong.
   */
  lastSeen?: number;
  /** Ids of the objects that existed before the request. Set for objects without a creation time. */
  before?: string[];
  /** The inputs by which the object is recognized. */
  match: Record<string, unknown>;
  id?: string;
}

export interface Attempts {
  /** A create request of an earlier run whose object is not in state. */
  earlier?: Attempt;
  begin(attempt: Attempt): void;
  /** Records the id of the object that the request of this run or of an earlier run has created. */
  created(id: string): void;
  /** Records that the API rejected the request, so that no object exists. */
  refused(): void;
}

/** The service's catalogues, such as regions and types. */
export interface Catalogues {
  /**
   * The problem with an id that is not in its catalogue. Undefined if the id is in the catalogue, or if the token
   * cannot read the catalogue.
   */
  problem(catalogue: Catalogue, id: string): Promise<string | undefined>;
  /** The same catalogues for use in an operation: reading a catalogue from the API ends at the operation's deadline. */
  within(host: Pick<Host, "api" | "inTime">): Catalogues;
}

/** The settings in the stack's configuration that concern the engine. */
export interface Settings {
  /**
   * Time limits for all resources, and under the name of a resource class for the resources of this class: `{ create:
   * "20m", Instance: { update: "2h" } }`.
   */
  timeouts?: TimeoutSettings | undefined;
  default_tags?: readonly string[] | undefined;
  label_prefix?: string | undefined;
  allow_reboot?: "allow" | "forbid" | undefined;
}

type Limits = { [L in Limited]?: string | undefined };
type TimeoutSettings = Limits & { readonly [kind: string]: Limits | string | undefined };

/** The operations with a time limit of their own. Checks, previews and refreshes use the limit of `read`. */
export type Limited = "create" | "update" | "delete" | "read";

/** The name of the time limit for each operation. */
const limits = {
  create: "create",
  update: "update",
  delete: "delete",
  read: "read",
  check: "read",
  preview: "read",
} as const satisfies Record<string, Limited>;

interface Operation {
  kind: Kind;
  host: Host;
  operation: keyof typeof limits;
  /** Name of the resource in messages. Includes the id if the resource has one. */
  name(id?: string): string;
}

/**
 * Runs an operation within its time limit. If the limit is exceeded, the error contains what the operation was waiting
 * for, and how to increase the limit.
 */
export async function operate<T>(
  { kind, host, operation, name }: Operation,
  work: (host: Host) => Promise<T>,
): Promise<T> {
  const limit = limits[operation];
  const ms = timeoutOf(kind, host, limit);
  const began = host.now();
  const explained = (error: unknown, id?: string): unknown => {
    if (error instanceof InitFailed) return new InitFailed(error.id, error.outs, explained(error.cause, error.id));
    if (!isLate(error) && !isBusy(error)) return error;
    return new DeadlineError({ name: name(id), operation, limit, ms: host.now() - began }, error as Error);
  };
  try {
    return await work(within(host, ms));
  } catch (error) {
    throw explained(error);
  }
}

/** Whether the error is temporary, so that the client has retried the request until the deadline. */
const isBusy = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 429 || error.reasons.some(({ reason }) => reason === reasons.busy));

/**
 * Time limit of an operation in milliseconds: from the resource, else from the stack's configuration for the resource
 * class, else from the stack's configuration for all resources, else the default.
 */
function timeoutOf(
  kind: Kind,
  { limits, settings: { timeouts } }: Pick<Host, "settings" | "limits">,
  operation: Limited,
): number {
  const ofKind = timeouts?.[kind.name] as Limits | undefined;
  const declared = limits?.[operation] ?? ofKind?.[operation] ?? timeouts?.[operation];
  return declared === undefined ? defaultTimeout(kind, operation) : milliseconds(declared);
}

/** The default time limit of a resource class in milliseconds. */
export const defaultTimeout = (kind: Kind, operation: Limited): number =>
  (kind.timeouts?.[operation] ?? (operation === "read" ? 300 : 600)) * 1000;

/** Parses a duration such as `1h30m` to milliseconds. */
export function milliseconds(duration: string): number {
  const units = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;
  return [...duration.matchAll(/([\d.]+)(ms|s|m|h)/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units],
    0,
  );
}

/**
 * Maximum milliseconds after the deadline of an operation for reading the state in which it was left. Short operations
 * have half of their time limit.
 */
const GRACE_MS = 30_000;

/**
 * The connection for an operation that may take `ms` milliseconds. All requests, polls and waits over this connection
 * end at that time, so that the definitions of resource classes do not need to handle deadlines.
 */
export function within(host: Host, ms: number): Host {
  const deadline = host.now() + ms;
  const later = until(host, deadline + Math.min(GRACE_MS, ms / 2));
  return { ...until(host, deadline), grace: () => later };
}

function until(host: Host, end: number): Host {
  // An operation within another operation also ends at the deadline of the outer one.
  const deadline = Math.min(end, host.deadline);
  const bound: Host = {
    ...host,
    deadline,
    api: callsUntil(host.api, deadline),
    reads: { view: (area, path, options) => host.reads.view(area, path, { deadline, ...options }) },
    data: (request) => host.data({ deadline, ...request }),
    pollSchedule: (...args) => {
      const nextPoll = host.pollSchedule(...args);
      return () => nextPoll(deadline);
    },
    async inTime(work, what) {
      const { signal, clear } = endingOf(deadline, undefined, host);
      return unlessAborted(work, signal)
        .catch((error) => {
          throw error === signal.reason ? new LateError(`waiting for ${what}`) : error;
        })
        .finally(clear);
    },
    grace: () => bound,
  };
  bound.catalogues = host.catalogues.within(bound);
  return bound;
}

/** Returns a function that provides one value per connection, created on first use. */
export function perConnection<T>(make: () => T): (host: Pick<Host, "connection">) => T {
  const made = new WeakMap<Host["connection"], { value: T }>();
  return ({ connection }) => {
    const kept = made.get(connection) ?? { value: make() };
    made.set(connection, kept);
    return kept.value;
  };
}
