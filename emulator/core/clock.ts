export type Pace = (typeof paces)[number];
export const paces = ["instant", "fast", "real", "stepped"] as const;

/** The paces to which a running emulator can be changed. */
export const changeablePaces = ["instant", "fast", "real"] as const satisfies readonly Pace[];

/** Start time of clocks that are independent of the machine's clock, so that two runs have identical output. */
const EPOCH = Date.UTC(2022, 0, 1);

/** The latest time that the API can represent: years have four digits. */
export const END_OF_TIME = Date.UTC(9999, 11, 31, 23, 59, 59);

/** With `--pace fast`, jobs are this many times faster than on the real service: a boot of 30 s takes 1 s. */
const FAST = 30;

/** The time of a clock in a data file: `stands` is a fixed time, `ahead` is the offset from the machine's clock. */
export type StoredTime = { stands: number } | { ahead: number };

/**
 * The emulated clock. By default it follows the machine's clock, because clients ask for events "since now" and read
 * "now" from that clock. With the pace `stepped`, and with `instant` and a fixed seed, it changes only when the
 * emulator advances it. All other code of the emulator uses this clock, never the machine's.
 */
export class Clock {
  #pace: Pace;
  #isFixed: boolean;
  #fixedTime = EPOCH;
  #offset = 0;
  #override: number | undefined;
  /** The second that `time` formatted last. Most calls are for the current one. */
  #second = Number.NaN;
  #text = "";

  constructor(pace: Pace, { seeded = false } = {}) {
    this.#pace = pace;
    this.#isFixed = pace === "stepped" || (pace === "instant" && seeded);
  }

  get pace(): Pace {
    return this.#pace;
  }

  /**
   * Changes the duration of the jobs that start from now on. The time continues from the current time; at the paces
   * `fast` and `real`, it also moves between requests.
   */
  changePace(pace: (typeof changeablePaces)[number]): void {
    const now = this.now();
    this.#pace = pace;
    if (pace === "instant" || !this.#isFixed) return;
    this.#isFixed = false;
    this.set(now);
  }

  /**
   * Puts a clock that follows the machine's clock back. The returned function puts it forward again, unless it has been
   * advanced further. It is then not behind the machine's clock, as if it had never been put back.
   */
  putBack(by: number): () => void {
    if (this.#isFixed) return () => {};
    const offset = this.#offset;
    this.#offset -= by;
    return () => {
      this.#offset = Math.max(offset, this.#offset);
    };
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#override ?? this.#base();
  }

  /** The current time in the API's format, such as `2022-01-31T12:00:00`. */
  time(at: number = this.now()): string {
    const second = Math.floor(Math.min(Math.max(at, 0), END_OF_TIME) / 1000);
    if (second !== this.#second)
      [this.#second, this.#text] = [second, new Date(second * 1000).toISOString().slice(0, 19)];
    return this.#text;
  }

  /** Milliseconds that a job takes on this clock, given the seconds that it takes on the real service. */
  takes(seconds: number): number {
    return Math.round((seconds * 1000) / (this.pace === "fast" ? FAST : 1));
  }

  /** Advances the clock, but not beyond the latest time that the API can represent. */
  advance(by: number): void {
    const ms = Math.min(by, END_OF_TIME - this.now());
    if (this.#isFixed) this.#fixedTime += ms;
    else this.#offset += ms;
  }

  set(at: number): void {
    this.advance(at - this.now());
  }

  get stored(): StoredTime {
    return this.#isFixed ? { stands: this.#fixedTime } : { ahead: this.#offset };
  }

  /**
   * Continues from the time in a data file. A clock that follows the machine's clock also advances by the time that has
   * passed while the emulator was not running.
   */
  resume(stored: StoredTime): void {
    if (this.pace === "instant") this.#isFixed = "stands" in stored;
    if ("ahead" in stored && !this.#isFixed) this.#offset = stored.ahead;
    else this.set("stands" in stored ? stored.stands : Date.now() + stored.ahead);
  }

  reset(): void {
    this.#fixedTime = EPOCH;
    this.#offset = 0;
  }

  /**
   * Runs the callback with the clock set to the given time. A job that was due between two requests thus ends at the
   * time when it was due, not at the time of the next request.
   */
  at<T>(time: number, work: () => T): T {
    const previous = this.#override;
    this.#override = time;
    try {
      return work();
    } finally {
      this.#override = previous;
    }
  }

  /** Called for each request. With the pace `instant`, each request advances the clock by a second. */
  tick(): void {
    if (this.pace === "instant") this.advance(1000);
  }

  #base(): number {
    return this.#isFixed ? this.#fixedTime : Date.now() + this.#offset;
  }
}
