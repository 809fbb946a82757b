import type { Time } from "./time";

/** Milliseconds between the polls of an operation that waits for an object, by the time since its wait began. */
const periods: readonly { until: number; every: number }[] = [
  { until: 3_000, every: 500 },
  { until: 10_000, every: 1_000 },
  { until: 30_000, every: 2_500 },
];
/** Milliseconds between polls after the last of the `periods`. */
const LATER_MS = 5_000;

/**
 * Polls are delayed so that one request serves several waiting operations. If this many operations have waited at the
 * same time, the poll of an operation is delayed by at most `slack`, a time that is set for each operation; with fewer
 * operations by proportionally less, and with more by up to twice that time.
 */
const MANY = 12;
/**
 * A delayed poll is sent once no more operations are expected to start waiting: none has started for at least `ms`, and
 * for at least `gaps` times the average time between two starts.
 */
const QUIET = { ms: 100, gaps: 4 };
/**
 * Operations that start to wait further apart than this, in milliseconds, are considered unrelated. The time between
 * them does not count for the average time between two starts.
 */
const MOST_GAP_MS = 250;
/**
 * A poll is not delayed to include more operations if enough are waiting: at least `waiters` operations, and at least
 * the fraction `ofMost` of the largest number that has waited at the same time so far.
 */
const ENOUGH = { waiters: 6, ofMost: 0.75 };
/**
 * A poll that is sent for other operations also serves an operation whose expected duration is known, but only after
 * this fraction of that duration, because its object is unlikely to be ready earlier.
 */
const EARLY = 0.8;

/** Sleeps until the next poll of a waiting operation, or until the deadline if that is earlier. */
export type NextPoll = (deadline?: number) => Promise<void>;

interface Waiter {
  /**
   * Earliest time at which a poll that is sent for other operations also serves this one. Its object is unlikely to be
   * ready earlier.
   */
  from: number;
  /** Time of the poll if no other operation waited for objects of the same collection. */
  due: number;
  /**
   * Milliseconds by which the poll can be delayed, so that one request serves more waiting operations. The actual delay
   * depends on how many there are.
   */
  slack: number;
  deadline: number;
  wake(): void;
}

/**
 * Creates a schedule by which operations that wait for objects of the same collection poll together, so that one
 * request serves all of them. If the expected duration of a wait is known, its first poll is due at the end of that
 * duration.
 */
export function pollSchedule({ now, sleep }: Pick<Time, "now" | "sleep">) {
  const meetings = new Map<string, Meeting>();

  return (collection: string, expected: () => number | undefined = () => undefined): NextPoll => {
    const meeting = meetings.get(collection) ?? new Meeting({ now, sleep });
    meetings.set(collection, meeting);
    const began = now();
    let isFirst = true;
    return (deadline = Number.POSITIVE_INFINITY) => {
      const every = periods.find(({ until }) => now() - began < until)?.every ?? LATER_MS;
      const expectedMs = expected();
      const isExpected = expectedMs !== undefined && (isFirst || began + expectedMs > now());
      const slack = isFirst ? Math.max(every, expectedMs ?? 0) : every;
      isFirst = false;
      const due = Math.min(deadline, isExpected ? began + expectedMs : now() + every);
      const from = Math.min(due, isExpected ? began + EARLY * expectedMs : now() + every / 2);
      return meeting.join({ from, due, slack, deadline });
    };
  };
}

/** The operations that wait for objects of one collection, such as new volumes. */
class Meeting {
  readonly #time: Pick<Time, "now" | "sleep">;
  readonly #waiting = new Set<Waiter>();
  /** Largest number of operations that have waited at the same time so far. */
  #most = 0;
  #joined = 0;
  /** Average time in milliseconds between the starts of two waits. */
  #gap = 0;
  #alarm = Number.POSITIVE_INFINITY;

  constructor(time: Pick<Time, "now" | "sleep">) {
    this.#time = time;
  }

  join(waiter: Omit<Waiter, "wake">): Promise<void> {
    return new Promise((wake) => {
      const now = this.#time.now();
      const gap = now - this.#joined;
      if (gap < MOST_GAP_MS) this.#gap += (gap - this.#gap) / 5;
      this.#joined = now;
      this.#waiting.add({ ...waiter, wake });
      this.#most = Math.max(this.#most, this.#waiting.size);
      void this.#watch();
    });
  }

  /**
   * The time of the next poll: as late as possible, so that it serves more waiting operations, but before any of them
   * is delayed too long.
   */
  #pollAt(): number {
    const all = [...this.#waiting];
    const part = Math.min(this.#most / MANY, 2);
    const latest = Math.min(...all.map(({ due, slack, deadline }) => Math.min(due + part * slack, deadline)));
    const last = Math.max(...all.map(({ due }) => due).filter((due) => due <= latest));
    const areEnough = all.length >= Math.max(ENOUGH.waiters, ENOUGH.ofMost * this.#most);
    const quiet = this.#joined + Math.max(QUIET.ms, QUIET.gaps * this.#gap);
    return Math.min(latest, areEnough ? last : Math.max(last, quiet));
  }

  async #watch(): Promise<void> {
    const { now, sleep } = this.#time;
    // Computes the time of the poll after all operations that start at this moment have been added, so that it serves
    // them too.
    await new Promise(setImmediate);
    while (this.#waiting.size) {
      const at = this.#pollAt();
      if (at <= now()) {
        for (const waiter of this.#waiting) if (waiter.from <= now() && this.#waiting.delete(waiter)) waiter.wake();
        continue;
      }
      if (this.#alarm <= at) return;
      this.#alarm = at;
      await sleep(at - now());
      // An operation with an earlier poll was added during the sleep. The loop that it started serves all waiting
      // operations, so this loop ends.
      if (this.#alarm !== at) return;
      this.#alarm = Number.POSITIVE_INFINITY;
    }
  }
}
