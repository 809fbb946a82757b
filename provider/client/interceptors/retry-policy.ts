import { CallEnded } from "../ending";
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
interface Retry {
  why: string;
  ms: number;
}

/** Decides whether a call is retried, and after which delay. */
export class RetryPolicy {
  #failures = 0;
  #rejections = 0;

  constructor(
    readonly call: Call,
    readonly rules: RetryRules,
    readonly hasResponded: () => boolean,
  ) {}

  async run(send: () => Promise<RawResponse | DispatchFailure>, time: Time, log: Log): Promise<RawResponse> {
    const { name, deadline, waitSignal, operation } = this.call;
    for (;;) {
      if (time.now() >= deadline) throw this.#abandoned(new CallEnded("deadline"), "before it was sent");
      if (waitSignal.aborted) throw this.#abandoned(waitSignal.reason, "before it was sent");
      const outcome = await send();
      // An earlier attempt of this delete request may have been carried out. A 404 then means that it succeeded.
      if (isResponse(outcome) && outcome.status === 404 && operation.method === "DELETE" && this.call.mayBeDone)
        return deletedResponse;
      const retry = this.#retryAfter(outcome);
      if (!retry || time.now() + retry.ms > deadline) {
        if (isResponse(outcome)) return outcome;
        throw outcome;
      }
      log.warn?.(`${name}: ${retry.why}; retrying in ${Math.round(retry.ms / 100) / 10} s`);
      await time.sleep(retry.ms, waitSignal).catch((error) => {
        throw this.#abandoned(error, `while waiting to retry after ${retry.why}`);
      });
    }
  }

  #abandoned({ by, cause }: CallEnded, when: string): DispatchFailure {
    return new DispatchFailure(by, this.call.mayBeDone ?? false, when, cause);
  }

  #retryAfter(outcome: RawResponse | DispatchFailure): Retry | undefined {
    const isRepeatable = this.call.operation.method !== "POST";
    if (!isResponse(outcome)) {
      this.call.mayBeDone ||= outcome.sent;
      if (permanent.has(outcome.kind)) return undefined;
      return (outcome.sent ? isRepeatable : this.hasResponded()) ? this.#retryFailure(outcome.message) : undefined;
    }
    const { status } = outcome;
    // The service has its own noun in reasons, if it has other names than the contract.
    const worded = (text: string): string => this.call.names?.text(text) ?? text;
    const temporary = temporaryErrorOf(status, (reason) => hasReason(outcome, worded(reason)));
    if (!temporary) return undefined;
    const { limit, retryAfter } = temporary;
    const why = worded(temporary.text ?? String(status));
    const serviceDelayMs = retryAfter === "ignored" ? undefined : retryAfterMs(outcome);
    if (limit === "deadline") return this.#retryRejection(why, serviceDelayMs);
    this.call.mayBeDone = true;
    return isRepeatable ? this.#retryFailure(why, serviceDelayMs) : undefined;
  }

  #retryFailure(why: string, minMs = 0): Retry | undefined {
    if (this.#failures >= this.rules.max) return undefined;
    return { why, ms: Math.max(minMs, this.#delay(this.#failures++)) };
  }

  /**
   * The retry after an error which guarantees that nothing was carried out, so even a POST is retried until the
   * deadline.
   */
  #retryRejection(why: string, serviceDelayMs?: number): Retry {
    const delay = this.#delay(this.#rejections++);
    return { why, ms: serviceDelayMs || delay };
  }

  #delay(attempts: number): number {
    return Math.min(this.rules.longestMs, this.rules.firstMs * 2 ** attempts);
  }
}

/** Errors that a retry cannot fix. */
const permanent: ReadonlySet<DispatchFailure["kind"]> = new Set(["caller", "deadline", "contract", "storage"]);

const isResponse = (outcome: RawResponse | DispatchFailure): outcome is RawResponse => !(outcome instanceof Error);

const deletedResponse: RawResponse = {
  status: 200,
  headers: { "content-type": "application/json" },
  body: Buffer.from("{}"),
};
