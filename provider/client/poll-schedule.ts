import type { Time } from "./time";

/** How often a waiter polls, by how long it has waited; all periods divide the last, so that waiters meet. */
const periods: readonly { until: number; every: number }[] = [
  { until: 3_000, every: 500 },
  { until: 10_000, every: 1_000 },
  { until: 30_000, every: 2_500 },
  { until: Number.POSITIVE_INFINITY, every: 5_000 },
];

/** The part of the expected time after which the first poll is due. */
const EARLY = 0.9;

/** Sleeps until the waiter's next poll, or until its deadline if that is sooner. */
export type NextPoll = (deadline?: number) => Promise<void>;

/**
 * Schedules that meet: a waiter sleeps to the next multiple of its period, and all who wake at that moment wake from the
 * same sleep. So their fresh reads fall into the same moment, whenever each of them began to wait. Where a wait is expected to
 * take some time, the first poll is shortly before its end.
 */
export function pollSchedule({ now, sleep }: Pick<Time, "now" | "sleep">): (expectedMs?: number) => NextPoll {
  const wakings = new Map<number, Promise<void>>();

  function sleepUntil(at: number): Promise<void> {
    const shared = wakings.get(at);
    if (shared) return shared;
    const begun = sleep(at - now()).finally(() => wakings.delete(at));
    wakings.set(at, begun);
    return begun;
  }

  return (expectedMs = 0) => {
    const began = now();
    const expected = began + EARLY * expectedMs;
    return (deadline = Number.POSITIVE_INFINITY) => {
      const every = periods.find(({ until }) => now() - began < until)?.every ?? 5_000;
      // At least half a period away: a poll right after another would tell nothing new.
      const earliest = Math.max(now() + every / 2, expected);
      return sleepUntil(Math.min(deadline, Math.ceil(earliest / every) * every));
    };
  };
}
