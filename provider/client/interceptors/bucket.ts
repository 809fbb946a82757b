/** Below this part of what a window allows, calls are spread over what is left of it. */
const LOW = 0.1;

/** What is known of one of the service's rate limits. Moments are milliseconds by this machine's clock. */
export class Bucket {
  #limit = Number.POSITIVE_INFINITY;
  #left = Number.POSITIVE_INFINITY;
  #resetAt = 0;
  #closedUntil = 0;
  #nextAt = 0;
  #underWay = 0;

  /** How long nothing may be sent at all. */
  closedMs(now: number): number {
    if (now >= this.#resetAt) this.#left = this.#limit;
    return Math.max(this.#closedUntil, this.#left < 1 ? this.#resetAt : 0) - now;
  }

  /** Takes one call out of the bucket and tells how long it has to wait for its turn. */
  take(now: number): number {
    this.#underWay++;
    this.#left--;
    if (this.#left >= this.#limit * LOW || now >= this.#resetAt) return 0;
    const turn = Math.max(now, this.#nextAt);
    this.#nextAt = turn + (this.#resetAt - turn) / Math.max(1, this.#left + 1);
    return turn - now;
  }

  /** A call came back, with an answer or without. */
  back(): void {
    this.#underWay--;
  }

  /** What an answer says; calls that are under way may not be counted in it yet. */
  learn(limit: number, left: number, resetAt: number): void {
    const safe = left - this.#underWay;
    // Header and service's clock are known to a second each, so that the same window may look two apart.
    const sameWindow = Math.abs(resetAt - this.#resetAt) <= 2000;
    this.#left = sameWindow ? Math.min(this.#left, safe) : safe;
    this.#resetAt = sameWindow ? Math.max(this.#resetAt, resetAt) : resetAt;
    this.#limit = limit;
  }

  close(until: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, until);
  }
}
