import { setTimeout as delay } from "node:timers/promises";

/** The client's only access to time, so that tests can bring their own. */
export interface Time {
  /** Milliseconds by this machine's clock. */
  now(): number;
  /** Rejects with the signal's reason when it is aborted meanwhile. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs the work after that time unless the returned function cancels it before. */
  timer(ms: number, work: () => void): () => void;
}

/** The longest time that Node can wait for at once, about 24 days. */
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

/** Resolves with the promise, or rejects when the caller is aborted; the work continues. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
