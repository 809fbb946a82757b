import { type Call, type Handler, type Interceptor, interceptor } from "./call";
import { Failure } from "./exchange";
import { type Controller, type Headers, Relay } from "./relay";

/** Bounds one attempt from its first byte out to its last byte in, so that a drip of bytes can't hold a call for ever. */
export const timeout = (attemptMs: number, now: () => number): Interceptor =>
  interceptor((dispatch) => (options, handler) => {
    // undici's own limits bound pauses between bytes, which is not what a caller waits for.
    const unbound = { ...options, headersTimeout: 0, bodyTimeout: 0 };
    return dispatch(unbound, new Timed(handler, options.call, attemptMs, now));
  });

class Timed extends Relay {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    handler: Handler,
    readonly call: Call,
    readonly attemptMs: number,
    readonly now: () => number,
  ) {
    super(handler);
  }

  override onRequestStart(controller: Controller, context: unknown): void {
    const left = Math.max(0, this.call.deadline - this.now());
    const late =
      left < this.attemptMs
        ? new Failure("deadline", true, "the deadline passed")
        : new Failure("timeout", true, `no whole answer within ${this.attemptMs / 1000} s`);
    // A true timer even where tests bring their own time: it bounds true input and output.
    this.#timer = setTimeout(() => controller.abort(late), Math.min(left, this.attemptMs));
    super.onRequestStart(controller, context);
  }

  override onResponseEnd(controller: Controller, trailers: Headers): void {
    clearTimeout(this.#timer);
    super.onResponseEnd(controller, trailers);
  }

  override onResponseError(controller: Controller, error: Error): void {
    clearTimeout(this.#timer);
    super.onResponseError(controller, error);
  }
}
