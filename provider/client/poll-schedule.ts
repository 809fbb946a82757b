import type { Time } from "./time";

/** Milliseconds between the polls of a waiter, by the time since its wait began. */
const periods: readonly { until: number; every: number }[] = [
  { until: 3_000, every: 500 },
  { until: 10_000, every: 1_000 },
  { until: 30_000, every: 2_500 },
];
/** Milliseconds between polls after the last of these periods. */
const LATER_MS = 5_000;

/**
 * Number of waiters at which a poll is delayed by exactly the waiters' `slack`. With fewer waiters the delay is
 * proportionally shorter, and with more it is longer, up to twice as long.
 */
const MANY = 12;
/**
 * Time without a new waiter after which no further waiters are expected: at least `ms`, and `gaps` times the average
 * gap between two.
 */
const QUIET = { ms: 100, gaps: 4 };
/** Gaps that are longer than this do not count, because the waiters are then independent of each other. */
const MOST_GAP_MS = 250;
/** A poll that is due is not delayed if there are this many waiters, and this fraction of the largest number so far. */
const ENOUGH = { waiters: 6, ofMost: 0.75 };
/** Fraction of the expected duration after which a waiter takes part in the polls of others. */
const EARLY = 0.8;

/** Sleeps until the waiter's next poll, or until the deadline if that is earlier. */
export type NextPoll = (deadline?: number) => Promise<void>;

interface Waiter {
  /** Earliest time at which a poll can have a new result for this waiter. */
  from: number;
  /** Time at which the waiter would poll if it were alone. */
  due: number;
  /**
   * Milliseconds by which the poll can be delayed, so that one request serves more waiters. The actual delay depends on
   * the number of waiters.
   */
  slack: number;
  deadline: number;
  wake(): void;
}

/**
 * Creates a schedule by which waiters for objects of the same collection poll together, so that one request serves all
 * of them. If an expected duration is given, the first poll is at its end.
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

/** The waiters for objects of one collection. */
class Meeting {
  readonly #time: Pick<Time, "now" | "sleep">;
  readonly #waiting = new Set<Waiter>();
  /** Largest number of simultaneous waiters so far. */
  #most = 0;
  #joined = 0;
  /** Average time in milliseconds between the arrivals of two waiters. */
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
   * The time of the next poll: as late as possible to include more waiters, but before the delay of any waiter is too
   * long.
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
    // Waiters that start at the same moment are included in the poll.
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
      // A waiter with an earlier poll was added during the sleep. Its poll serves the other waiters too.
      if (this.#alarm !== at) return;
      this.#alarm = Number.POSITIVE_INFINITY;
    }
  }
}
