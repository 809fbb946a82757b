import type { Time } from "./time";

/** How often a waiter polls, by how long it has waited. */
const periods: readonly { until: number; every: number }[] = [
  { until: 3_000, every: 500 },
  { until: 10_000, every: 1_000 },
  { until: 30_000, every: 2_500 },
  { until: Number.POSITIVE_INFINITY, every: 5_000 },
];

/** Where so many wait together, a poll waits for others as long as the wait itself takes; where fewer do, for less. */
const MANY = 12;
/** No further waiter is expected after this many milliseconds without a new one. */
const QUIET_MS = 100;
/** The part of the expected time after which the polls of others are worth sharing. */
const EARLY = 0.8;

/** Sleeps until the waiter's next poll, or until its deadline if that is sooner. */
export type NextPoll = (deadline?: number) => Promise<void>;

interface Waiter {
  /** The earliest time at which a poll can return something new. */
  from: number;
  /** When the waiter would poll if it were alone. */
  due: number;
  /** How long it can wait for others; all of it where many wait. */
  slack: number;
  deadline: number;
  wake(): void;
}

/**
 * Polls that meet: those who look at the same collection wait for each other, so that one request serves many. Where a wait
 * is expected to take some time, its first poll is due then.
 */
export function pollSchedule({ now, sleep }: Pick<Time, "now" | "sleep">) {
  const meetings = new Map<string, Meeting>();

  return (collection: string, expectedMs?: number): NextPoll => {
    const meeting = meetings.get(collection) ?? new Meeting({ now, sleep });
    meetings.set(collection, meeting);
    const began = now();
    return (deadline = Number.POSITIVE_INFINITY) => {
      const every = periods.find(({ until }) => now() - began < until)?.every ?? 5_000;
      const isExpected = expectedMs !== undefined && began + expectedMs > now();
      const due = Math.min(deadline, isExpected ? began + expectedMs : now() + every);
      const from = Math.min(due, isExpected ? began + EARLY * expectedMs : now() + every / 2);
      return meeting.join({ from, due, slack: Math.max(every, isExpected ? expectedMs : 0), deadline });
    };
  };
}

/** Those who wait for the objects of one collection. */
class Meeting {
  readonly #time: Pick<Time, "now" | "sleep">;
  readonly #waiting = new Set<Waiter>();
  /** The most who have waited together. */
  #most = 0;
  #joined = 0;
  #alarm = Number.POSITIVE_INFINITY;

  constructor(time: Pick<Time, "now" | "sleep">) {
    this.#time = time;
  }

  join(waiter: Omit<Waiter, "wake">): Promise<void> {
    return new Promise((wake) => {
      this.#waiting.add({ ...waiter, wake });
      this.#most = Math.max(this.#most, this.#waiting.size);
      this.#joined = this.#time.now();
      void this.#watch();
    });
  }

  /** The best time for a poll: together with the last due waiters before one cannot wait longer. */
  #pollAt(): number {
    const all = [...this.#waiting];
    const part = Math.min(this.#most / MANY, 2);
    const latest = Math.min(...all.map(({ due, slack, deadline }) => Math.min(due + part * slack, deadline)));
    const last = Math.max(...all.map(({ due }) => due).filter((due) => due <= latest));
    return Math.min(latest, Math.max(last, this.#joined + QUIET_MS));
  }

  async #watch(): Promise<void> {
    const { now, sleep } = this.#time;
    // Those of the same moment come first.
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
      // An earlier poller has joined and serves the others too.
      if (this.#alarm !== at) return;
      this.#alarm = Number.POSITIVE_INFINITY;
    }
  }
}
