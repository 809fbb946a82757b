import { type CallWrapper, callsThrough, callsUntil } from "../client/calls-until";
import { endingOf } from "../client/ending";
import { ApiError } from "../client/errors";
import { temporaryErrorOf } from "../client/interceptors/temporary-errors";
import { isReached, unlessAborted } from "../client/time";
import type { Kind } from "./definition";
import { DeadlineError, InitFailed, isLate, LateError } from "./errors";
import { type Host, type LimitedOperation, type Limits, perConnection } from "./host";

const limits = {
  create: "create",
  update: "update",
  delete: "delete",
  read: "read",
  check: "read",
  preview: "read",
} as const satisfies Record<string, LimitedOperation>;

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
export async function withTimeLimit<T>(
  { kind, host, operation, name }: Operation,
  work: (host: Host) => Promise<T>,
): Promise<T> {
  const { limit, ms } = limitOf(kind, host, operation);
  const startedAt = host.now();
  const withLimitHint = (error: unknown, id?: string): unknown => {
    if (error instanceof InitFailed)
      return new InitFailed(error.id, error.outs, withLimitHint(error.cause, error.id), error.uncertain);
    if (!isLate(error) && !isBusy(error)) return error;
    // An operation that ended at an outer deadline, such as that of a command, is explained by the code that set it.
    if (startedAt + ms > host.deadline && isReached(host.deadline, host.now())) return error;
    return new DeadlineError({ name: name(id), operation, limit, ms: host.now() - startedAt }, error as Error);
  };
  // The other operations report what they wait for themselves.
  const reporting = isBeforeChange(operation) ? reportingSlowCalls(host, name) : host;
  try {
    return await work(hostWithLimit(reporting, ms));
  } catch (error) {
    throw withLimitHint(error);
  }
}

/** Milliseconds after which a check or a preview says which call it waits for. */
const SLOW_MS = 10_000;

const slowCalls = perConnection(() => new Set<string>());

/**
 * A connection that reports each call that has not ended after 10 seconds, once for all resources that wait for the
 * same one.
 */
function reportingSlowCalls(host: Host, name: () => string): Host {
  const reported = slowCalls(host);
  return hostThrough(host, async (operation, call) => {
    const stop = host.timer(SLOW_MS, () => {
      if (!reported.has(operation)) host.progress(`${name()}: still waiting after 10 s for ${operation}`);
      reported.add(operation);
    });
    try {
      return await call();
    } finally {
      stop();
    }
  });
}

/** A connection that makes each call of an operation, such as `volumes.list`, through the given function. */
export function hostThrough(host: Host, wrap: CallWrapper): Host {
  const { reads } = host;
  const view: typeof reads.view = (area, path, options) => wrap(`${area}.view`, () => reads.view(area, path, options));
  return { ...host, api: callsThrough(host.api, wrap), reads: { ...reads, view } };
}

/** Whether the error is temporary, such as 429. The client has then retried the request until the deadline. */
const isBusy = (error: unknown): boolean =>
  error instanceof ApiError &&
  temporaryErrorOf(error.status, (expected) =>
    error.reasons.some(({ reason, meaning = reason }) => meaning === expected),
  )?.limit === "deadline";

const isBeforeChange = (operation: Operation["operation"]): boolean => operation === "check" || operation === "preview";

type TimeLimitSettings = Pick<Host, "settings" | "limits">;

/**
 * The time limit of an operation, and its name in the settings. A check or a preview is a part of the create or update
 * that follows, so it also ends at a limit that is declared for those.
 */
function limitOf(
  kind: Kind,
  host: TimeLimitSettings,
  operation: Operation["operation"],
): { limit: LimitedOperation; ms: number } {
  const own = { limit: limits[operation], ms: timeoutOf(kind, host, limits[operation]) };
  if (!isBeforeChange(operation)) return own;
  const declared = (["create", "update"] as const).flatMap((limit) => {
    const text = declaredTimeout(kind, host, limit);
    return text === undefined ? [] : [{ limit, ms: parseDuration(text) }];
  });
  return [own, ...declared].reduce((shortest, limit) => (limit.ms < shortest.ms ? limit : shortest));
}

/**
 * Milliseconds for work before an operation, such as reading the account: half of the operation's time limit, so that it
 * ends soon after its own limit.
 */
export const preparationMs = (kind: Kind, host: TimeLimitSettings, operation: Operation["operation"]): number =>
  limitOf(kind, host, operation).ms / 2;

const timeoutOf = (kind: Kind, host: TimeLimitSettings, operation: LimitedOperation): number => {
  const declared = declaredTimeout(kind, host, operation);
  return declared === undefined ? defaultTimeout(kind, operation) : parseDuration(declared);
};

/**
 * The declared time limit. The resource's own limit takes precedence over the stack's limit for the resource class,
 * then over the stack's limit for all resources.
 */
function declaredTimeout(
  kind: Kind,
  { limits, settings: { timeouts } }: TimeLimitSettings,
  operation: LimitedOperation,
): string | undefined {
  const ofKind = timeouts?.[kind.name] as Limits | undefined;
  return limits?.[operation] ?? ofKind?.[operation] ?? timeouts?.[operation];
}

/** The default time limit of a resource class in milliseconds. */
export const defaultTimeout = (kind: Kind, operation: LimitedOperation): number =>
  (kind.timeouts?.[operation] ?? (operation === "read" ? 300 : 600)) * 1000;

const DURATION_UNITS = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, us: 1e-3, µs: 1e-3, μs: 1e-3, ns: 1e-6 } as const;

/** A duration such as `1h30m`, with the units that Pulumi accepts. */
export const DURATION = /^((\d+\.?\d*|\.\d+)(ms|us|\u00b5s|\u03bcs|ns|s|m|h))+$/;

/** Parses a duration such as `1h30m` to milliseconds. */
export function parseDuration(duration: string): number {
  if (!DURATION.test(duration))
    throw new Error(`customTimeouts: "${duration}" is not a duration such as "90s", "20m" or "1h30m"`);
  const parts = duration.matchAll(/([\d.]+)([a-z\u00b5\u03bc]+)/g);
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
export function hostWithLimit(host: Host, ms: number): Host {
  const deadline = host.now() + ms;
  const graceHost = hostUntil(host, deadline + Math.min(GRACE_MS, ms / 2));
  return { ...hostUntil(host, deadline), grace: () => graceHost };
}

function hostUntil(host: Host, end: number): Host {
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
    async withDeadline(work, what) {
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
