import type { Time } from "./time";

/** How often a waiter looks, by how long it has waited; all periods divide the last, so that waiters meet. */
const periods: readonly { until: number; every: number }[] = [
  { until: 3_000, every: 500 },
  { until: 10_000, every: 1_000 },
  { until: 30_000, every: 2_500 },
  { until: Number.POSITIVE_INFINITY, every: 5_000 },
];

/** A waiter's rhythm: each call sleeps until the collection is worth looking at again, or the waiter's deadline if that is sooner. */
export type Tick = (collection: string, deadline?: number) => Promise<void>;

/**
 * Rhythms that meet: a waiter sleeps to the next multiple of its period, and all who wake at that moment wake from the
 * same sleep. So their fresh reads fall into the same tick, whenever each of them began to wait.
 */
export function ticks({ now, sleep }: Pick<Time, "now" | "sleep">): () => Tick {
  const beats = new Map<number, Promise<void>>();

  function beat(at: number): Promise<void> {
    const known = beats.get(at);
    if (known) return known;
    const begun = sleep(at - now()).finally(() => beats.delete(at));
    beats.set(at, begun);
    return begun;
  }

  return () => {
    const began = now();
    return (_collection, deadline = Number.POSITIVE_INFINITY) => {
      const every = periods.find(({ until }) => now() - began < until)?.every ?? 5_000;
      // At least half a period away: a look right after a look would tell nothing new.
      return beat(Math.min(deadline, Math.ceil((now() + every / 2) / every) * every));
    };
  };
}
