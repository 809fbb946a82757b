import type { Time } from "../time";
import { type Handler, type Interceptor, interceptor } from "./call";
import { DispatchFailure } from "./dispatch";
import { type Controller, ForwardingHandler, type Headers } from "./forwarding-handler";

/**
 * Limits the time of an attempt, from the first byte sent to the last byte received, so that a very slow response
 * cannot block a call.
 */
export const timeout = (attemptMs: number, { timer }: Pick<Time, "timer">): Interceptor =>
  interceptor((dispatch) => (options, handler) => {
    // undici's own timeouts are disabled, because they limit the pauses between bytes instead of the total time.
    const unlimited = { ...options, headersTimeout: 0, bodyTimeout: 0 };
    return dispatch(unlimited, new TimeoutHandler(handler, attemptMs, timer));
  });

class TimeoutHandler extends ForwardingHandler {
  #stop = () => {};

  constructor(
    handler: Handler,
    readonly attemptMs: number,
    readonly timer: Time["timer"],
  ) {
    super(handler);
  }

  override onRequestStart(controller: Controller, context: unknown): void {
    const timedOut = () =>
      new DispatchFailure("timeout", true, `no complete response within ${this.attemptMs / 1000} s`);
    this.#stop = this.timer(this.attemptMs, () => controller.abort(timedOut()));
    super.onRequestStart(controller, context);
  }

  override onResponseEnd(controller: Controller, trailers: Headers): void {
    this.#stop();
    super.onResponseEnd(controller, trailers);
  }

  override onResponseError(controller: Controller, error: Error): void {
    this.#stop();
    super.onResponseError(controller, error);
  }
}
