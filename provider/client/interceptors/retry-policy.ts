import { Ended } from "../ending";
import type { Log } from "../options";
import type { Time } from "../time";
import type { Call } from "./call";
import { DispatchFailure, type RawResponse } from "./dispatch";
import { hasReason, retryAfterMs } from "./response-signals";
import { temporaryErrorOf } from "./temporary-errors";

export interface RetryRules {
  /** Maximum number of retries after failures of the service or the network. */
  max: number;
  /** Delay before the first retry in milliseconds. It doubles with each retry, up to `longestMs`. */
  firstMs: number;
  longestMs: number;
}

/** A retry: its reason, and the delay before it. */
interface Again {
  why: string;
  ms: number;
}

/** Decides whether a call is retried, and after which delay. */
export class RetryPolicy {
  #faults = 0;
  #refusals = 0;
  /** Whether an earlier attempt may have been carried out although it failed. */
  #doubtful = false;

  constructor(
    readonly call: Call,
    readonly rules: RetryRules,
    readonly reached: () => boolean,
  ) {}

  async run(once: () => Promise<RawResponse | DispatchFailure>, time: Time, log: Log): Promise<RawResponse> {
    const { name, deadline, signal, operation } = this.call;
    for (;;) {
      if (time.now() >= deadline) throw this.#givenUp(new Ended("deadline"), "before it was sent");
      const outcome = await once();
      // An earlier attempt of this delete request may have been carried out. A 404 then means that it succeeded.
      if (isResponse(outcome) && outcome.status === 404 && operation.method === "DELETE" && this.#doubtful) return gone;
      const again = this.#again(outcome);
      if (!again || time.now() + again.ms > deadline) {
        if (isResponse(outcome)) return outcome;
        throw outcome;
      }
      log.warn?.(`${name}: ${again.why}; retrying in ${Math.round(again.ms / 100) / 10} s`);
      await time.sleep(again.ms, signal).catch((ended) => {
        throw this.#givenUp(ended, `while waiting to retry after ${again.why}`);
      });
    }
  }

  #givenUp({ by, cause }: Ended, what: string): DispatchFailure {
    return new DispatchFailure(by, this.#doubtful, what, cause);
  }

  #again(outcome: RawResponse | DispatchFailure): Again | undefined {
    const repeatable = this.call.operation.method !== "POST";
    if (!isResponse(outcome)) {
      this.#doubtful ||= outcome.sent;
      if (final.has(outcome.kind)) return undefined;
      return (outcome.sent ? repeatable : this.reached()) ? this.#afterFault(outcome.message) : undefined;
    }
    const { status } = outcome;
    const temporary = temporaryErrorOf(status, (reason) => hasReason(outcome, reason));
    if (!temporary) return undefined;
    const { why = String(status), limit, retryAfter } = temporary;
    const asked = retryAfter === "ignored" ? undefined : retryAfterMs(outcome);
    if (limit === "deadline") return this.#afterRefusal(why, asked);
    this.#doubtful = true;
    return repeatable ? this.#afterFault(why, asked) : undefined;
  }

  #afterFault(why: string, least = 0): Again | undefined {
    if (this.#faults >= this.rules.max) return undefined;
    return { why, ms: Math.max(least, this.#pause(this.#faults++)) };
  }

  /**
   * The retry after an error which guarantees that nothing was carried out, so even a POST is retried until the
   * deadline.
   */
  #afterRefusal(why: string, asked?: number): Again {
    const pause = this.#pause(this.#refusals++);
    return { why, ms: asked || pause };
  }

  #pause(before: number): number {
    return Math.min(this.rules.longestMs, this.rules.firstMs * 2 ** before);
  }
}

/** Errors that a retry cannot fix. */
const final: ReadonlySet<DispatchFailure["kind"]> = new Set(["caller", "deadline", "contract", "storage"]);

const isResponse = (outcome: RawResponse | DispatchFailure): outcome is RawResponse => !(outcome instanceof Error);

const gone: RawResponse = { status: 200, headers: { "content-type": "application/json" }, body: Buffer.from("{}") };
