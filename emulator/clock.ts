export type Pace = (typeof paces)[number];
export const paces = ["instant", "fast", "real", "stepped"] as const;

/** Where virtual time begins: the same in every run, so that runs can be compared byte by byte. */
const EPOCH = Date.UTC(2022, 0, 1);

/** How much quicker than the real service `fast` is: a boot of 30 s takes 1 s. */
const FAST = 30;

/** The time as a file keeps it: itself where it stands still between requests, else how far it is ahead of the machine's. */
export type KeptTime = { stands: number } | { ahead: number };

/**
 * The service's time. `real` and `fast` follow the machine's clock; `instant` and `stepped` are virtual and move only by
 * requests or by `advance`. Nothing else in the emulator looks at the machine's clock.
 */
export class Clock {
  readonly pace: Pace;
  #virtual = EPOCH;
  #offset = 0;
  #during: number | undefined;

  constructor(pace: Pace) {
    this.pace = pace;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#during ?? this.#base();
  }

  /** As the API writes times. */
  time(at: number = this.now()): string {
    return new Date(at).toISOString().slice(0, 19);
  }

  /** How long a job of so many seconds takes at this pace, in milliseconds. */
  takes(seconds: number): number {
    return Math.round((seconds * 1000) / (this.pace === "fast" ? FAST : 1));
  }

  /** Moves time forward. */
  advance(ms: number): void {
    if (this.#isVirtual()) this.#virtual += ms;
    else this.#offset += ms;
  }

  /** Sets the time, as a snapshot had it. */
  set(at: number): void {
    this.advance(at - this.now());
  }

  get kept(): KeptTime {
    return this.#isVirtual() ? { stands: this.#virtual } : { ahead: this.#offset };
  }

  /** Goes on from a time that was kept, whatever pace that had: time that follows the machine's has passed meanwhile. */
  resume(kept: KeptTime): void {
    if ("ahead" in kept && !this.#isVirtual()) this.#offset = kept.ahead;
    else this.set("stands" in kept ? kept.stands : Date.now() + kept.ahead);
  }

  /** As at the start. */
  reset(): void {
    this.#virtual = EPOCH;
    this.#offset = 0;
  }

  /** Runs the work as if it were that time: a job that ended between two requests ended when it was due. */
  at<T>(time: number, work: () => T): T {
    const before = this.#during;
    this.#during = time;
    try {
      return work();
    } finally {
      this.#during = before;
    }
  }

  /** A request has come: at the pace `instant` each takes a second. */
  tick(): void {
    if (this.pace === "instant") this.advance(1000);
  }

  #base(): number {
    return this.#isVirtual() ? this.#virtual : Date.now() + this.#offset;
  }

  #isVirtual(): boolean {
    return this.pace === "instant" || this.pace === "stepped";
  }
}
