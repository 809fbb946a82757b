export type Pace = (typeof paces)[number];
export const paces = ["instant", "fast", "real", "stepped"] as const;

/**
 * Start of a clock that does not follow the machine's clock, so that the output of two runs can be compared byte by
 * byte.
 */
const EPOCH = Date.UTC(2022, 0, 1);

/** The latest time that the API can represent: years have four digits. */
export const END_OF_TIME = Date.UTC(9999, 11, 31, 23, 59, 59);

/** Speed of `fast` compared with the real service: a boot of 30 s takes 1 s. */
const FAST = 30;

/** The stored time: an absolute one for a fixed clock, otherwise its offset from the machine's clock. */
export type KeptTime = { stands: number } | { ahead: number };

/**
 * The service's clock. By default it follows the machine's clock, so that clients that poll for events "since now" find
 * them. With pace `stepped`, and with `instant` and a fixed seed, it only advances explicitly. The rest of the emulator
 * never reads the machine's clock.
 */
export class Clock {
  readonly pace: Pace;
  #stands: boolean;
  #standing = EPOCH;
  #offset = 0;
  #during: number | undefined;

  constructor(pace: Pace, { seeded = false } = {}) {
    this.pace = pace;
    this.#stands = pace === "stepped" || (pace === "instant" && seeded);
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#during ?? this.#base();
  }

  /** The current time in the API's format. */
  time(at: number = this.now()): string {
    return new Date(Math.min(Math.max(at, 0), END_OF_TIME)).toISOString().slice(0, 19);
  }

  /** How long a job of the given duration takes at this pace, in milliseconds. */
  takes(seconds: number): number {
    return Math.round((seconds * 1000) / (this.pace === "fast" ? FAST : 1));
  }

  /** Advances the clock, at most to the latest time. */
  advance(by: number): void {
    const ms = Math.min(by, END_OF_TIME - this.now());
    if (this.#stands) this.#standing += ms;
    else this.#offset += ms;
  }

  /** Sets the time to that of a snapshot. */
  set(at: number): void {
    this.advance(at - this.now());
  }

  get kept(): KeptTime {
    return this.#stands ? { stands: this.#standing } : { ahead: this.#offset };
  }

  /**
   * Continues from a stored time, whatever the pace was: if the clock follows the machine's, the time in between has
   * passed.
   */
  resume(kept: KeptTime): void {
    if (this.pace === "instant") this.#stands = "stands" in kept;
    if ("ahead" in kept && !this.#stands) this.#offset = kept.ahead;
    else this.set("stands" in kept ? kept.stands : Date.now() + kept.ahead);
  }

  /** Resets the clock to its start. */
  reset(): void {
    this.#standing = EPOCH;
    this.#offset = 0;
  }

  /** Runs the callback at the given time, because a job that ended between two requests must end when it was due. */
  at<T>(time: number, work: () => T): T {
    const before = this.#during;
    this.#during = time;
    try {
      return work();
    } finally {
      this.#during = before;
    }
  }

  /** Counts a request: at the pace `instant`, each one advances the clock by a second. */
  tick(): void {
    if (this.pace === "instant") this.advance(1000);
  }

  #base(): number {
    return this.#stands ? this.#standing : Date.now() + this.#offset;
  }
}
