/**
 * Fraction of the requests that a rate limit allows per window. If fewer are left, calls are spread evenly over the
 * rest of the window.
 */
const LOW_FRACTION = 0.1;

/** The state of one rate limit. Times are in milliseconds by this machine's clock. */
export class Bucket {
  #limit = Number.POSITIVE_INFINITY;
  #remaining = Number.POSITIVE_INFINITY;
  #resetAt = 0;
  #closedUntil = 0;
  #nextAt = 0;
  #inProgress = 0;

  /** Milliseconds until a call may be sent. Negative if a call may be sent now. */
  closedMs(now: number): number {
    if (now >= this.#resetAt) this.#remaining = this.#limit;
    return Math.max(this.#closedUntil, this.#remaining < 1 ? this.#resetAt : 0) - now;
  }

  /** Reserves a slot for one call. Returns the milliseconds that the call must wait. */
  reserve(now: number): number {
    this.#inProgress++;
    this.#remaining--;
    if (this.#remaining >= this.#limit * LOW_FRACTION || now >= this.#resetAt) return 0;
    const slotAt = Math.max(now, this.#nextAt);
    this.#nextAt = slotAt + (this.#resetAt - slotAt) / Math.max(1, this.#remaining + 1);
    return slotAt - now;
  }

  /** Releases the slot of a call that has ended, with or without a response. */
  release(): void {
    this.#inProgress--;
  }

  /**
   * Updates the state from the rate limit headers of a response. Subtracts the calls in progress, because the service
   * may count them only later.
   */
  update(limit: number, remaining: number, resetAt: number): void {
    const available = remaining - this.#inProgress;
    // The window's end, from the header `X-RateLimit-Reset`, and the service's clock are each accurate to a second.
    // Ends that differ by up to two seconds can therefore belong to the same window.
    const isSameWindow = Math.abs(resetAt - this.#resetAt) <= 2000;
    this.#remaining = isSameWindow ? Math.min(this.#remaining, available) : available;
    this.#resetAt = isSameWindow ? Math.max(this.#resetAt, resetAt) : resetAt;
    this.#limit = limit;
  }

  close(until: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, until);
  }
}
