import type { Operation } from "../../api";
import type { Clock } from "../core/clock";
import { ErrorResponse } from "../core/error-response";

interface Limit {
  /** Number of requests that a token may send in a time window of `seconds`. */
  requests: number;
  seconds: number;
}

/**
 * The service's rate limits. The first limit that matches an operation applies; the last limit matches every operation.
 */
const classes: readonly (Limit & { has: (operation: Operation) => boolean })[] = [
  {
    requests: 2,
    seconds: 60,
    has: ({ path, method }) => method === "POST" && path.endsWith("-transfers/{token}/accept"),
  },
  { requests: 100, seconds: 60, has: ({ path }) => path.includes("/stats") },
  { requests: 750, seconds: 1, has: ({ path }) => path.startsWith("/object-storage") },
  { requests: 1600, seconds: 120, has: () => true },
];

/** Number of time windows in memory above which expired windows are removed. */
const SWEEP = 10_000;

/** The state of a token's rate limit, as returned in the headers `X-RateLimit-*`. */
export interface LimitState {
  limit: number;
  remaining: number;
  /** Seconds since 1970 at which the window ends. */
  reset: number;
}

/** Counts the requests of each token per time window, such as two minutes of the emulated clock. */
export class Limits {
  readonly #clock: Clock;
  readonly #enforced: boolean;
  /** Current time windows by token or address, with a separate map for each rate limit. */
  readonly #windows: readonly Windows[] = classes.map(() => new Map());

  constructor(clock: Clock, enforced: boolean) {
    this.#clock = clock;
    this.#enforced = enforced;
  }

  /** Counts one request of a token, or of an address if it has no token. */
  take(holder: string, operation: Operation): LimitState & { rejection?: ErrorResponse; retryAfter?: number } {
    const index = classOf(operation);
    const { requests, seconds } = classes[index] as Limit;
    const windows = this.#windows[index] as Windows;
    const now = this.#clock.now();
    let window = windows.get(holder);
    if (!window || window.resetAt <= now) {
      if (windows.size >= SWEEP) sweep(windows, now);
      window = { resetAt: now + seconds * 1000, used: 0 };
      windows.set(holder, window);
    }
    const state = { limit: requests, reset: Math.ceil(window.resetAt / 1000) };
    if (!this.#enforced) return { ...state, remaining: requests };
    window.used++;
    if (window.used <= requests) return { ...state, remaining: requests - window.used };
    const rejection = new ErrorResponse(429, `Too many requests: ${requests} in ${seconds} seconds are allowed`);
    return { ...state, remaining: 0, rejection, retryAfter: Math.max(1, Math.ceil((window.resetAt - now) / 1000)) };
  }

  clear(): void {
    for (const windows of this.#windows) windows.clear();
  }
}

type Windows = Map<string, { resetAt: number; used: number }>;

/** Removes only expired windows, because a client that floods the emulator could otherwise reset its own limit. */
function sweep(windows: Windows, now: number): void {
  for (const [holder, { resetAt }] of windows) if (resetAt <= now) windows.delete(holder);
}

function classOf(operation: Operation): number {
  const index = indexes.get(operation) ?? classes.findIndex(({ has }) => has(operation));
  indexes.set(operation, index);
  return index;
}
const indexes = new WeakMap<Operation, number>();
