/** If less than this fraction of a window's requests is left, calls are distributed over the rest of the window. */
const LOW = 0.1;

/** The state of one rate limit. Times are milliseconds of this machine's clock. */
export class Bucket {
  #limit = Number.POSITIVE_INFINITY;
  #left = Number.POSITIVE_INFINITY;
  #resetAt = 0;
  #closedUntil = 0;
  #nextAt = 0;
  #underWay = 0;

  /** Time before which nothing may be sent. */
  closedMs(now: number): number {
    if (now >= this.#resetAt) this.#left = this.#limit;
    return Math.max(this.#closedUntil, this.#left < 1 ? this.#resetAt : 0) - now;
  }

  /** Reserves a slot for one call and returns how long it must wait. */
  take(now: number): number {
    this.#underWay++;
    this.#left--;
    if (this.#left >= this.#limit * LOW || now >= this.#resetAt) return 0;
    const turn = Math.max(now, this.#nextAt);
    this.#nextAt = turn + (this.#resetAt - turn) / Math.max(1, this.#left + 1);
    return turn - now;
  }

  /** Records that a call has ended, with or without a response. */
  back(): void {
    this.#underWay--;
  }

  /** Applies the rate limit headers of a response, which may not count calls in progress. */
  learn(limit: number, left: number, resetAt: number): void {
    const safe = left - this.#underWay;
    // The header and the service's clock are each accurate to a second, so the same window can appear to differ by two
    // seconds.
    const sameWindow = Math.abs(resetAt - this.#resetAt) <= 2000;
    this.#left = sameWindow ? Math.min(this.#left, safe) : safe;
    this.#resetAt = sameWindow ? Math.max(this.#resetAt, resetAt) : resetAt;
    this.#limit = limit;
  }

  close(until: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, until);
  }
}
