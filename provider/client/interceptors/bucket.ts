/**
 * Fraction of the requests that a rate limit allows per window. If fewer are left, calls are spread evenly over the
 * rest of the window.
 */
const LOW = 0.1;

/** The state of one rate limit. Times are in milliseconds by this machine's clock. */
export class Bucket {
  #limit = Number.POSITIVE_INFINITY;
  #left = Number.POSITIVE_INFINITY;
  #resetAt = 0;
  #closedUntil = 0;
  #nextAt = 0;
  #underWay = 0;

  /** Milliseconds until a call may be sent. Negative if a call may be sent now. */
  closedMs(now: number): number {
    if (now >= this.#resetAt) this.#left = this.#limit;
    return Math.max(this.#closedUntil, this.#left < 1 ? this.#resetAt : 0) - now;
  }

  /** Reserves a slot for one call. Returns the milliseconds that the call must wait. */
  take(now: number): number {
    this.#underWay++;
    this.#left--;
    if (this.#left >= this.#limit * LOW || now >= this.#resetAt) return 0;
    const turn = Math.max(now, this.#nextAt);
    this.#nextAt = turn + (this.#resetAt - turn) / Math.max(1, this.#left + 1);
    return turn - now;
  }

  /** Releases the slot of a call that has ended, with or without a response. */
  back(): void {
    this.#underWay--;
  }

  /**
   * Updates the state from the rate limit headers of a response. Subtracts the calls in progress, because the service
   * may count them only later.
   */
  learn(limit: number, left: number, resetAt: number): void {
    const safe = left - this.#underWay;
    // The window's end, from the header `X-RateLimit-Reset`, and the service's clock are each accurate to a second.
    // Ends that differ by up to two seconds can therefore belong to the same window.
    const sameWindow = Math.abs(resetAt - this.#resetAt) <= 2000;
    this.#left = sameWindow ? Math.min(this.#left, safe) : safe;
    this.#resetAt = sameWindow ? Math.max(this.#resetAt, resetAt) : resetAt;
    this.#limit = limit;
  }

  close(until: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, until);
  }
}
