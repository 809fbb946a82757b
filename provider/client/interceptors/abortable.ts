import type { CallEnded } from "../ending";
import { type CallOptions, type Dispatch, type Handler, type Interceptor, interceptor } from "./call";
import { DispatchFailure } from "./dispatch";
import { type Controller, ForwardingHandler, type Headers } from "./forwarding-handler";
import { fail } from "./replay";

/** Ends an attempt as soon as its call is cancelled, even while the attempt waits in a queue or for a connection. */
export const abortable = (): Interceptor =>
  interceptor((dispatch: Dispatch) => (options: CallOptions, handler) => {
    const { signal, waitSignal } = options.call;
    if (!waitSignal.aborted) return dispatch(options, new AbortableHandler(handler, signal, waitSignal));
    fail(failureOf(waitSignal, false), handler);
    return true;
  });

const failureOf = ({ reason }: AbortSignal, sent: boolean): DispatchFailure => {
  const { by, cause } = reason as CallEnded;
  return new DispatchFailure(by, sent, sent ? "while waiting for the response" : "before it was sent", cause);
};

class AbortableHandler extends ForwardingHandler {
  #controller: Controller | undefined;
  #isEnded = false;

  constructor(
    readonly handler: Handler,
    readonly signal: AbortSignal,
    readonly waitSignal: AbortSignal,
  ) {
    super(handler);
    signal.addEventListener("abort", this.#abort, { once: true });
    waitSignal.addEventListener("abort", this.#abort, { once: true });
  }

  readonly #abort = (): void => {
    const isSent = this.#controller !== undefined;
    if (isSent && !this.signal.aborted) return;
    const failure = failureOf(isSent ? this.signal : this.waitSignal, isSent);
    if (this.#end()) fail(failure, this.handler);
    this.#controller?.abort(failure);
  };

  /** Marks the attempt as ended. Returns false if it was already marked. */
  #end(): boolean {
    const isFirst = !this.#isEnded;
    this.#isEnded = true;
    this.signal.removeEventListener("abort", this.#abort);
    this.waitSignal.removeEventListener("abort", this.#abort);
    return isFirst;
  }

  override onRequestStart(controller: Controller, context: unknown): void {
    // The call was cancelled while it waited in the queue or for a connection.
    if (this.#isEnded) {
      controller.abort(failureOf(this.waitSignal, false));
      return;
    }
    this.#controller = controller;
    super.onRequestStart(controller, context);
  }

  override onResponseStart(controller: Controller, status: number, headers: Headers, message?: string): void {
    if (!this.#isEnded) super.onResponseStart(controller, status, headers, message);
  }

  override onResponseData(controller: Controller, chunk: Buffer): void {
    if (!this.#isEnded) super.onResponseData(controller, chunk);
  }

  override onResponseEnd(controller: Controller, trailers: Headers): void {
    if (this.#end()) super.onResponseEnd(controller, trailers);
  }

  override onResponseError(controller: Controller, error: Error): void {
    if (this.#end()) super.onResponseError(controller, error);
  }
}
