import { setTimeout as sleep } from "node:timers/promises";

/**
 * Calls a function at a fixed interval in milliseconds until the signal is aborted. The first call is after a random
 * part of the interval.
 */
export async function regularly(every: number, signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  for (let due = Math.random() * every; ; due += every) {
    if (every) await sleep(Math.max(0, startedAt + due - performance.now()), undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    await work();
  }
}
