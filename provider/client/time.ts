import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

/** All functions that depend on time, so that tests can replace them. */
export interface Time {
  /** Milliseconds since 1970 by this machine's clock. */
  now(): number;
  /** Sleeps for the given time. Rejects with the signal's reason if the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs the callback after the given time. Calling the returned function cancels that. */
  timer(ms: number, work: () => void): () => void;
}

/** The longest timeout that Node.js supports in milliseconds, about 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Limits a timeout to values that Node.js accepts. The time left can be negative if a deadline has just passed, and
 * Node.js prints a warning for negative timeouts.
 */
const period = (ms: number): number => Math.min(Math.max(ms, 0), MAX_TIMER_MS);

export const realTime: Time = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    await delay(period(ms), undefined, signal ? { signal } : {}).catch((error) => {
      throw signal?.aborted ? signal.reason : error;
    });
  },
  timer(ms, work) {
    const timer = setTimeout(work, period(ms));
    return () => clearTimeout(timer);
  },
};

/** A signal that any number of operations can listen to. */
export function cancellation(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** Returns the result of the promise, but rejects when the signal is aborted. The work of the promise continues. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Whether a timer that was set for this time has run. Node.js can run a timer a millisecond early. */
export const isReached = (time: number, now: number): boolean => now + 1 >= time;
