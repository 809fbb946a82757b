import type { Time } from "./time";

/** How often a waiter polls at first, depending on how long it has waited. */
const periods: readonly { until: number; every: number }[] = [
  { until: 3_000, every: 500 },
  { until: 10_000, every: 1_000 },
  { until: 30_000, every: 2_500 },
];
/** How often it polls after that. */
const LATER_MS = 5_000;

/** With this many waiters, a poll can be delayed by as much as the wait has taken so far; with fewer, by less. */
const MANY = 12;
/** No further waiter is expected after this time without a new one, which is some times the usual gap between two. */
const QUIET = { ms: 100, gaps: 4 };
/** A longer gap shows that the waiters are independent of each other. */
const MOST_GAP_MS = 250;
/** With this many waiters, and this fraction of the most so far, a poll that is due does not wait for further ones. */
const ENOUGH = { waiters: 6, ofMost: 0.75 };
/** The fraction of the expected time after which it is worth sharing the polls of other waiters. */
const EARLY = 0.8;

/** Sleeps until the waiter's next poll, or until its deadline if that is sooner. */
export type NextPoll = (deadline?: number) => Promise<void>;

interface Waiter {
  /** The earliest time at which a poll can return a new result. */
  from: number;
  /** When the waiter would poll without other waiters. */
  due: number;
  /** How long it can wait for others; the full delay if there are many. */
  slack: number;
  deadline: number;
  wake(): void;
}

/**
 * Shared polls: waiters for objects of the same collection poll together, so that one request serves many. A wait that
 * is expected to take some time is polled then.
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

/** The waiters for the objects of one collection. */
class Meeting {
  readonly #time: Pick<Time, "now" | "sleep">;
  readonly #waiting = new Set<Waiter>();
  /** The largest number of simultaneous waiters so far. */
  #most = 0;
  #joined = 0;
  /** The average time in milliseconds from one waiter to the next. */
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
   * The best time for a poll: as late as possible, together with other waiters, before one of them cannot wait longer.
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
    // Waiters that started at the same moment come first.
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
      // A waiter that polls earlier has joined, and its poll serves the others too.
      if (this.#alarm !== at) return;
      this.#alarm = Number.POSITIVE_INFINITY;
    }
  }
}
