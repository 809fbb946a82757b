import type { CallEnded } from "../ending";
import type { Time } from "../time";
import type { Bucket } from "./bucket";
import { type Call, type Handler, type Interceptor, interceptor } from "./call";
import type { ServerClock } from "./clock";
import { DispatchFailure } from "./dispatch";
import { type Controller, ForwardingHandler, type Headers } from "./forwarding-handler";
import { RateLimits, type RateRules } from "./limits";
import { fail } from "./replay";

/** Delays calls to stay within the rate limits, because a short delay costs less time than a 429 response. */
export const rateLimit = (rules: RateRules, time: Time, server: ServerClock): Interceptor => {
  const limits = new RateLimits(rules, time, server);
  return interceptor((dispatch) => (options, handler) => {
    const bucket = limits.bucketOf(options.call);
    limits.wait(options.call, bucket).then(
      () => dispatch(options, new RateLimitHandler(handler, options.call, bucket, limits)),
      ({ by, cause }: CallEnded) =>
        fail(new DispatchFailure(by, false, "while waiting for the rate limit", cause), handler),
    );
    return true;
  });
};

class RateLimitHandler extends ForwardingHandler {
  #isReleased = false;

  constructor(
    handler: Handler,
    readonly call: Call,
    readonly bucket: Bucket,
    readonly limits: RateLimits,
  ) {
    super(handler);
  }

  override onResponseStart(controller: Controller, status: number, headers: Headers, message?: string): void {
    this.#release();
    this.limits.update(this.call, this.bucket, status, headers);
    super.onResponseStart(controller, status, headers, message);
  }

  override onResponseError(controller: Controller, error: Error): void {
    this.#release();
    super.onResponseError(controller, error);
  }

  /**
   * Releases the call's slot in the rate limit only once. For a response that breaks off, undici calls both
   * `onResponseStart` and `onResponseError`.
   */
  #release(): void {
    if (!this.#isReleased) this.bucket.release();
    this.#isReleased = true;
  }
}
