import { type Catalogue, reasons } from "../../api";
import type { Client } from "../client";
import { callsUntil } from "../client/calls-until";
import { endingOf } from "../client/ending";
import { ApiError } from "../client/errors";
import type { ServerTime } from "../client/interceptors/clock";
import { type Time, unlessAborted } from "../client/time";
import type { Kind } from "./definition";
import { DeadlineError, InitFailed, isLate, LateError } from "./errors";

/** The connection to one account, as resource definitions use it: API calls, clock, settings and user messages. */
export interface Host {
  api: Client["api"];
  reads: Client["reads"];
  data: Client["data"];
  catalogues: Catalogues;
  /** The account that the token belongs to, for messages: `account 63b09d26-… at http://127.0.0.1:4108/v4`. */
  account(): Promise<string>;
  /** Address of the API, in one notation, so that it can be compared with the address in state. */
  address: string;
  /** Whether the token has a scope such as `account:read_only`. Undefined until a response lists its scopes. */
  tokenHas: Client["tokenHas"];
  /** Key under which cached data about the account is stored, so that two connections never share a cache. */
  connection: object;
  /** The stack's configuration, except for the connection settings. */
  settings: Settings;
  /** The time limits that the program declares for this resource, such as `{ create: "20m" }`. */
  limits?: Partial<Record<Limited, string>>;
  /**
   * Records of create requests on disk. If the process is killed before Pulumi saves a new id in state, the next run
   * finds the object by its record.
   */
  attempts?: Attempts;
  /** End of the current operation, in milliseconds by this machine's clock. All requests and waits stop then. */
  deadline: number;
  /** The same connection with a slightly later deadline, to read the object after an operation has timed out. */
  grace(): Host;
  /** The promise's result, or an error if the deadline passes first. In its message, `what` names the awaited event. */
  inTime<T>(work: Promise<T>, what: string): Promise<T>;
  /** Milliseconds since 1970 by this machine's clock. */
  now(): number;
  timer: Time["timer"];
  /** Sleeps for the given milliseconds. */
  sleep(ms: number): Promise<void>;
  /** The time by the service's clock, or by this machine's clock before the first response. */
  serverTime(): ServerTime;
  /** Starts a poll schedule. Each call of the returned function sleeps until the next poll is due. */
  pollSchedule: Client["pollSchedule"];
  /** Shows a warning to the user, with the name of the resource. */
  warn(message: string): void;
  /** Shows the user how far a long wait has progressed. */
  progress(message: string): void;
}

/** Arguments of every function in a resource definition, such as `create`. `want` contains the declared inputs. */
export interface Context<W> {
  host: Host;
  /** Sends requests. After a lost response, it repeats the request unless it is a POST (see `isInDoubt`). */
  api: Host["api"];
  want: W;
}

/** A create request, with the data that identifies its object if the response is lost. `id` is set once it is known. */
export interface Attempt {
  /** Estimated time by the service's clock when the request was sent. */
  since: number;
  /**
   * The service's time in the last response before the request. The created object cannot be older, even if the
   * estimate in `since` is wrong.
   */
  lastSeen?: number;
  /** Ids of the objects that existed before the request. Only set if the API does not return creation times. */
  before?: string[];
  /** Declared inputs, such as the label, that an object must have to be recognized as the result of the request. */
  match: Record<string, unknown>;
  id?: string;
}

export interface Attempts {
  /** The create request of an earlier run that was interrupted before Pulumi saved the object's id in state. */
  earlier?: Attempt;
  /** Number of other interrupted create requests with the same inputs whose objects are not known either. */
  alike?(): number;
  begin(attempt: Attempt): void;
  /** Adds the id of the created object to the record of the create request on disk. */
  created(id: string): void;
  /** Removes the record of the create request from disk, because the API rejected the request and no object exists. */
  refused(): void;
}

/** The service's catalogues: lists of the ids that inputs accept, such as all regions or all instance types. */
export interface Catalogues {
  /**
   * The reason why an id is not valid. Undefined if the service's list of valid ids, such as the list of regions,
   * contains the id, or if the token cannot read the list.
   */
  problem(catalogue: Catalogue, id: string): Promise<string | undefined>;
  /** The same lists of valid ids, but reading them from the API stops at the deadline of the given operation. */
  within(host: Pick<Host, "api" | "inTime">): Catalogues;
}

/** The settings in the stack's configuration that affect how resources are managed. */
export interface Settings {
  /**
   * Time limits for all resources. Under the name of a resource class, such as `Instance`, the limits for resources of
   * that class, which take precedence.
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
  /** Name of the resource in messages, with its id if there is one. */
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
  const { limit, ms } = limitOf(kind, host, operation);
  const began = host.now();
  const explained = (error: unknown, id?: string): unknown => {
    if (error instanceof InitFailed) return new InitFailed(error.id, error.outs, explained(error.cause, error.id));
    if (!isLate(error) && !isBusy(error)) return error;
    // An operation that ended at an outer deadline, such as that of a command, is explained by the code that set it.
    if (began + ms > host.deadline && host.now() >= host.deadline) return error;
    return new DeadlineError({ name: name(id), operation, limit, ms: host.now() - began }, error as Error);
  };
  try {
    return await work(within(host, ms));
  } catch (error) {
    throw explained(error);
  }
}

/** Whether the error is temporary, such as 429. The client has then retried the request until the deadline. */
const isBusy = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 429 || error.reasons.some(({ reason }) => reason === reasons.busy));

type Configured = Pick<Host, "settings" | "limits">;

/**
 * The time limit of an operation, and its name in the settings. A check or a preview is a part of the create or update
 * that follows, so it also ends at a limit that is declared for those.
 */
function limitOf(kind: Kind, host: Configured, operation: Operation["operation"]): { limit: Limited; ms: number } {
  const own = { limit: limits[operation], ms: timeoutOf(kind, host, limits[operation]) };
  if (operation !== "check" && operation !== "preview") return own;
  const declared = (["create", "update"] as const).flatMap((limit) => {
    const text = declaredTimeout(kind, host, limit);
    return text === undefined ? [] : [{ limit, ms: milliseconds(text) }];
  });
  return [own, ...declared].reduce((least, one) => (one.ms < least.ms ? one : least));
}

const timeoutOf = (kind: Kind, host: Configured, operation: Limited): number => {
  const declared = declaredTimeout(kind, host, operation);
  return declared === undefined ? defaultTimeout(kind, operation) : milliseconds(declared);
};

/**
 * The declared time limit. The resource's own limit takes precedence over the stack's limit for the resource class,
 * then over the stack's limit for all resources.
 */
function declaredTimeout(
  kind: Kind,
  { limits, settings: { timeouts } }: Configured,
  operation: Limited,
): string | undefined {
  const ofKind = timeouts?.[kind.name] as Limits | undefined;
  return limits?.[operation] ?? ofKind?.[operation] ?? timeouts?.[operation];
}

/** The default time limit of a resource class in milliseconds. */
export const defaultTimeout = (kind: Kind, operation: Limited): number =>
  (kind.timeouts?.[operation] ?? (operation === "read" ? 300 : 600)) * 1000;

const DURATION_UNITS = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, us: 1e-3, µs: 1e-3, μs: 1e-3, ns: 1e-6 } as const;

/** A duration such as `1h30m`, with the units that Pulumi accepts. */
export const DURATION = /^((\d+\.?\d*|\.\d+)(ms|us|µs|μs|ns|s|m|h))+$/;

/** Parses a duration such as `1h30m` to milliseconds. */
export function milliseconds(duration: string): number {
  if (!DURATION.test(duration))
    throw new Error(`customTimeouts: "${duration}" is not a duration such as "90s", "20m" or "1h30m"`);
  const parts = duration.matchAll(/([\d.]+)([a-zµμ]+)/g);
  return [...parts].reduce(
    (sum, [, count, unit]) => sum + Number(count) * DURATION_UNITS[unit as keyof typeof DURATION_UNITS],
    0,
  );
}

/**
 * Milliseconds that remain after a timeout to read the object's state, or half of the operation's time limit if that is
 * less.
 */
const GRACE_MS = 30_000;

/**
 * A connection for an operation that may take `ms` milliseconds. Requests, polls and waits over it end then, so code
 * that uses it does not need to check the deadline.
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

/**
 * Returns a function that creates a value when it is first called for a connection, and returns the same value for that
 * connection afterwards.
 */
export function perConnection<T>(make: () => T): (host: Pick<Host, "connection">) => T {
  const made = new WeakMap<Host["connection"], { value: T }>();
  return ({ connection }) => {
    const kept = made.get(connection) ?? { value: make() };
    made.set(connection, kept);
    return kept.value;
  };
}
