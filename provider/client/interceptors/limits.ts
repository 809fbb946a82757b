import type { Time } from "../time";
import { Bucket } from "./bucket";
import type { Call } from "./call";
import type { ServerClock } from "./clock";
import { type Headers, header } from "./forwarding-handler";
import { retryAfterMs } from "./response-signals";

export interface RateRules {
  /** The user's limit of requests per second for all calls. The service's own limits are learned from its responses. */
  perSecond?: number | undefined;
}

/** The rate limits of the service, as learned from its responses, and the user's own limit. */
export class RateLimits {
  /**
   * The service's rate limits by their number of requests per window. Operations share a limit if their responses
   * report the same number.
   */
  readonly #byLimit = new Map<number, Bucket>();
  readonly #byOperation = new Map<string, Bucket>();
  /** The first limit that was learned. Operations that have not had a response yet are assumed to share it. */
  #general = new Bucket();
  #nextAt = 0;

  constructor(
    readonly rules: RateRules,
    readonly time: Time,
    readonly server: ServerClock,
  ) {}

  bucketOf = ({ name }: Call): Bucket => this.#byOperation.get(name) ?? this.#general;

  /**
   * Waits until the rate limit allows the call. If the wait would exceed the deadline, the call is sent immediately,
   * and the service may reject it.
   */
  async wait({ deadline, waitSignal }: Call, bucket: Bucket): Promise<void> {
    const { now, sleep } = this.time;
    let closedMs = bucket.closedMs(now());
    while (closedMs > 0 && now() + closedMs < deadline) {
      await sleep(closedMs, waitSignal);
      closedMs = bucket.closedMs(now());
    }
    const delay = Math.max(bucket.reserve(now()), this.#delay(now()));
    if (delay <= 0 || now() + delay >= deadline) return;
    await sleep(delay, waitSignal).catch((error) => {
      bucket.release();
      throw error;
    });
  }

  #delay(now: number): number {
    if (!this.rules.perSecond) return 0;
    const slotAt = Math.max(now, this.#nextAt);
    this.#nextAt = slotAt + 1000 / this.rules.perSecond;
    return slotAt - now;
  }

  update({ name }: Call, reserved: Bucket, status: number, headers: Headers): void {
    const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((suffix) =>
      numberIn(headers, `x-ratelimit-${suffix}`),
    );
    let bucket = reserved;
    if (limit !== undefined && remaining !== undefined && reset !== undefined) {
      bucket = this.#byLimit.get(limit) ?? (this.#byLimit.size ? new Bucket() : this.#general);
      this.#byLimit.set(limit, bucket);
      this.#byOperation.set(name, bucket);
      bucket.update(limit, remaining, reset * 1000 - this.server.offset());
    }
    if (status === 429) bucket.close(this.time.now() + (retryAfterMs({ headers }) ?? 0));
  }
}

function numberIn(headers: Headers, name: string): number | undefined {
  const value = header(headers, name);
  return value && Number.isFinite(Number(value)) ? Number(value) : undefined;
}
