import { type Catalogue, reasons } from "../../api";
import type { Client } from "../client";
import { callsUntil } from "../client/calls-until";
import { endingOf } from "../client/ending";
import { ApiError } from "../client/errors";
import { type Time, unlessAborted } from "../client/time";
import type { Kind } from "./definition";
import { DeadlineError, InitFailed, isLate, LateError } from "./errors";

/** The engine's environment: calls, time and messages. */
export interface Host {
  api: Client["api"];
  reads: Client["reads"];
  data: Client["data"];
  catalogues: Catalogues;
  /** Identifies the connection; caches of the account are kept per connection. */
  connection: object;
  /** The stack's configuration apart from the connection. */
  settings: Settings;
  /** The timeouts that the program declares for the resource, e.g. `{ create: "20m" }`. */
  limits?: Partial<Record<Limited, string>>;
  /** The address of the last update, where this is another one: what is not found here may exist there. */
  lastUpdateAt?: string;
  /** Records creates, so that a later run finds the object if this process or the engine is killed. */
  attempts?: Attempts;
  /** When the current operation ends, by this machine's clock. Every call, read and wait of this host ends then. */
  deadline: number;
  /** The same host with the time that is left once the deadline has passed, to find out how things are. */
  grace(): Host;
  /** The result of the promise, unless the deadline passes first; `what` completes "while waiting for". */
  inTime<T>(work: Promise<T>, what: string): Promise<T>;
  /** Milliseconds by this machine's clock. */
  now(): number;
  timer: Time["timer"];
  /** Milliseconds that the service's clock is ahead of this machine's; 0 before the first response. */
  serverOffset(): number;
  /** When a new waiter polls: each call of the result sleeps until the next time. */
  pollSchedule: Client["pollSchedule"];
  /** Shows the user a warning, with the resource's name. */
  warn(message: string): void;
  /** Shows the user how a long wait goes. */
  progress(message: string): void;
}

/** A create request: how its object is recognized, and its id once the response has arrived. */
export interface Attempt {
  /** The time before it was sent, by the service's clock. */
  since: number;
  /** Ids of the objects that existed before, for kinds without a creation time. */
  before?: string[];
  /** The inputs that distinguish the object from others of its kind. */
  match: Record<string, unknown>;
  id?: string;
}

export interface Attempts {
  /** A create of an earlier run whose object is not in state. */
  earlier?: Attempt;
  begin(attempt: Attempt): void;
  /** The object of this attempt, or of the earlier one, has this id. */
  created(id: string): void;
  /** The API rejected the request: no object exists. */
  refused(): void;
}

/** The service's lists of regions, types and other catalogues. */
export interface Catalogues {
  /** Why an id is not in its catalogue; undefined when it is, or when the token cannot read the catalogue. */
  problem(catalogue: Catalogue, id: string): Promise<string | undefined>;
  /** The same lists, for an operation with a deadline. */
  within(host: Pick<Host, "api" | "inTime">): Catalogues;
}

/** The stack's configuration for the engine. */
export interface Settings {
  /**
   * Time limits of all resources, and under the name of a kind those of its resources: `{ create: "20m", Instance: {
   * update: "2h" } }`.
   */
  timeouts?: TimeoutSettings | undefined;
  default_tags?: readonly string[] | undefined;
  label_prefix?: string | undefined;
  allow_reboot?: "allow" | "forbid" | undefined;
}

type Limits = { [L in Limited]?: string | undefined };
type TimeoutSettings = Limits & { readonly [kind: string]: Limits | string | undefined };

/** The operations whose time limits can be set; checks, previews and refreshes only read. */
export type Limited = "create" | "update" | "delete" | "read";

/** The operation and its timeout. */
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
  /** The name of the resource in messages, with its id once it has one. */
  name(id?: string): string;
}

/**
 * Runs one operation within its time limit; at the limit, the error says what took the time and how to allow more of
 * it.
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

/** Retries temporary failures until the deadline. */
const isBusy = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 429 || error.reasons.some(({ reason }) => reason === reasons.busy));

/**
 * How long an operation may take in milliseconds: as the resource declares, else as the stack does for its kind or for
 * all kinds.
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

/** The default time limit of a kind in milliseconds. */
export const defaultTimeout = (kind: Kind, operation: Limited): number =>
  (kind.timeouts?.[operation] ?? (operation === "read" ? 300 : 600)) * 1000;

/** `1h30m` in milliseconds. */
export function milliseconds(duration: string): number {
  const units = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;
  return [...duration.matchAll(/([\d.]+)(ms|s|m|h)/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units],
    0,
  );
}

/** After its deadline an operation has half of its limit again, but no more than this, to find out how things are. */
const GRACE_MS = 30_000;

/**
 * The host for one operation, which may take `ms` milliseconds: every request, poll and wait through it ends at that
 * deadline, so definitions do not handle it themselves.
 */
export function within(host: Host, ms: number): Host {
  const deadline = host.now() + ms;
  const later = until(host, deadline + Math.min(GRACE_MS, ms / 2));
  return { ...until(host, deadline), grace: () => later };
}

function until(host: Host, end: number): Host {
  // A step of another operation also ends at the deadline of that operation.
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

/** A value per connection, created on first use. */
export function perConnection<T>(make: () => T): (host: Pick<Host, "connection">) => T {
  const made = new WeakMap<Host["connection"], { value: T }>();
  return ({ connection }) => {
    const kept = made.get(connection) ?? { value: make() };
    made.set(connection, kept);
    return kept.value;
  };
}

/**
 * Work that several operations share: whoever needs it first does it within its own deadline, the others wait for it.
 */
export class Once<V> {
  readonly #done = new Map<string, Promise<V>>();

  known(key: string): Promise<V> | undefined {
    return this.#done.get(key);
  }

  /** `what` completes "while waiting for". A failure is not kept. */
  get({ inTime }: Pick<Host, "inTime">, key: string, what: string, work: () => Promise<V>): Promise<V> {
    const known = this.#done.get(key);
    if (!known) return this.#begin(key, work);
    return inTime(known, what).catch((error) => {
      // The first caller may have had less time.
      if (isLate(error)) return this.#begin(key, work);
      throw error;
    });
  }

  /** Repeats the work at the next use, unless it was repeated already. */
  forget(key: string, stale: Promise<V>): boolean {
    return this.#done.get(key) === stale && this.#done.delete(key);
  }

  #begin(key: string, work: () => Promise<V>): Promise<V> {
    const begun = work();
    this.#done.set(key, begun);
    begun.catch(() => this.forget(key, begun));
    return begun;
  }
}
