import { setTimeout as sleep } from "node:timers/promises";

/** Does the work each so many milliseconds until the signal, first after a random part of that. */
export async function regularly(every: number, signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  for (let due = Math.random() * every; ; due += every) {
    if (every) await sleep(Math.max(0, began + due - performance.now()), undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    await work();
  }
}
