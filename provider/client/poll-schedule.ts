import type { Time } from "./time";

/** Milliseconds between the polls of an operation that waits for an object, by the time since its wait began. */
const intervals: readonly { until: number; interval: number }[] = [
  { until: 3_000, interval: 500 },
  { until: 10_000, interval: 1_000 },
  { until: 30_000, interval: 2_500 },
];
/** Milliseconds between polls after the last of the `intervals`. */
const LAST_INTERVAL_MS = 5_000;

/**
 * Polls are delayed so that one request serves several waiting operations. If this many operations have waited at the
 * same time, the poll of an operation is delayed by at most `maxDelay`, a time that is set for each operation; with
 * fewer operations by proportionally less, and with more by up to twice that time.
 */
const FULL_GROUP = 12;
/**
 * A delayed poll is sent once no more operations are expected to start waiting: none has started for at least `ms`, and
 * for at least `gaps` times the average time between two starts.
 */
const IDLE = { ms: 100, gaps: 4 };
/**
 * Operations that start to wait further apart than this, in milliseconds, are considered unrelated. The time between
 * them does not count for the average time between two starts.
 */
const MAX_GAP_MS = 250;
/**
 * A poll is not delayed to include more operations if enough are waiting: at least `waiters` operations, and at least
 * the fraction `fraction` of the largest number that has waited at the same time so far.
 */
const SUFFICIENT = { waiters: 6, fraction: 0.75 };
/**
 * A poll that is sent for other operations also serves an operation whose expected duration is known, but only after
 * this fraction of that duration, because its object is unlikely to be ready earlier.
 */
const EARLY_FRACTION = 0.8;

/** Sleeps until the next poll of a waiting operation, or until the deadline if that is earlier. */
export type NextPoll = (deadline?: number) => Promise<void>;

interface Waiter {
  /**
   * Earliest time at which a poll that is sent for other operations also serves this one. Its object is unlikely to be
   * ready earlier.
   */
  earliest: number;
  /** Time of the poll if no other operation waited for objects of the same collection. */
  due: number;
  /**
   * Milliseconds by which the poll can be delayed, so that one request serves more waiting operations. The actual delay
   * depends on how many there are.
   */
  maxDelay: number;
  deadline: number;
  resolve(): void;
}

/**
 * Creates a schedule by which operations that wait for objects of the same collection poll together, so that one
 * request serves all of them. If the expected duration of a wait is known, its first poll is due at the end of that
 * duration.
 */
export function pollSchedule({ now, sleep }: Pick<Time, "now" | "sleep">) {
  const groups = new Map<string, PollGroup>();

  return (collection: string, expected: () => number | undefined = () => undefined): NextPoll => {
    const group = groups.get(collection) ?? new PollGroup({ now, sleep });
    groups.set(collection, group);
    const startedAt = now();
    let isFirst = true;
    return (deadline = Number.POSITIVE_INFINITY) => {
      const interval = intervals.find(({ until }) => now() - startedAt < until)?.interval ?? LAST_INTERVAL_MS;
      const expectedMs = expected();
      const isExpected = expectedMs !== undefined && (isFirst || startedAt + expectedMs > now());
      const maxDelay = isFirst ? Math.max(interval, expectedMs ?? 0) : interval;
      isFirst = false;
      const due = Math.min(deadline, isExpected ? startedAt + expectedMs : now() + interval);
      const earliest = Math.min(due, isExpected ? startedAt + EARLY_FRACTION * expectedMs : now() + interval / 2);
      return group.nextPoll({ earliest, due, maxDelay, deadline });
    };
  };
}

/** The operations that wait for objects of one collection, such as new volumes. */
class PollGroup {
  readonly #time: Pick<Time, "now" | "sleep">;
  readonly #waiting = new Set<Waiter>();
  /** Largest number of operations that have waited at the same time so far. */
  #maxWaiting = 0;
  #lastStart = 0;
  /** Average time in milliseconds between the starts of two waits. */
  #averageGap = 0;
  #wakeAt = Number.POSITIVE_INFINITY;

  constructor(time: Pick<Time, "now" | "sleep">) {
    this.#time = time;
  }

  nextPoll(waiter: Omit<Waiter, "resolve">): Promise<void> {
    return new Promise((resolve) => {
      const now = this.#time.now();
      const gap = now - this.#lastStart;
      if (gap < MAX_GAP_MS) this.#averageGap += (gap - this.#averageGap) / 5;
      this.#lastStart = now;
      this.#waiting.add({ ...waiter, resolve });
      this.#maxWaiting = Math.max(this.#maxWaiting, this.#waiting.size);
      void this.#watch();
    });
  }

  /**
   * The time of the next poll: as late as possible, so that it serves more waiting operations, but before any of them
   * is delayed too long.
   */
  #pollAt(): number {
    const waiters = [...this.#waiting];
    const fraction = Math.min(this.#maxWaiting / FULL_GROUP, 2);
    const latest = Math.min(
      ...waiters.map(({ due, maxDelay, deadline }) => Math.min(due + fraction * maxDelay, deadline)),
    );
    const lastDue = Math.max(...waiters.map(({ due }) => due).filter((due) => due <= latest));
    const isSufficient = waiters.length >= Math.max(SUFFICIENT.waiters, SUFFICIENT.fraction * this.#maxWaiting);
    const idleAt = this.#lastStart + Math.max(IDLE.ms, IDLE.gaps * this.#averageGap);
    return Math.min(latest, isSufficient ? lastDue : Math.max(lastDue, idleAt));
  }

  async #watch(): Promise<void> {
    const { now, sleep } = this.#time;
    // Computes the time of the poll after all operations that start at this moment have been added, so that it serves
    // them too.
    await new Promise(setImmediate);
    while (this.#waiting.size) {
      const at = this.#pollAt();
      if (at <= now()) {
        for (const waiter of this.#waiting)
          if (waiter.earliest <= now() && this.#waiting.delete(waiter)) waiter.resolve();
        continue;
      }
      if (this.#wakeAt <= at) return;
      this.#wakeAt = at;
      await sleep(at - now());
      // An operation with an earlier poll was added during the sleep. The loop that it started serves all waiting
      // operations, so this loop ends.
      if (this.#wakeAt !== at) return;
      this.#wakeAt = Number.POSITIVE_INFINITY;
    }
  }
}
