import { setTimeout as delay } from "node:timers/promises";

/** The client's only access to time, so that tests can bring their own. */
export interface Time {
  /** Milliseconds by this machine's clock. */
  now(): number;
  /** Sleeps. Rejects with the signal's reason if it is aborted in the meantime. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs the callback after the given time, unless the returned function is called first. */
  timer(ms: number, work: () => void): () => void;
}

/** The longest timeout that Node supports, about 24 days. */
const LONGEST = 2 ** 31 - 1;

export const realTime: Time = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    await delay(ms, undefined, signal ? { signal } : {}).catch((error) => {
      throw signal?.aborted ? signal.reason : error;
    });
  },
  timer(ms, work) {
    const timer = setTimeout(work, Math.min(ms, LONGEST));
    return () => clearTimeout(timer);
  },
};

/** Resolves with the promise, or rejects when the caller aborts. The work itself continues. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
