import { type Handler, type Interceptor, interceptor } from "./call";
import { type Controller, ForwardingHandler, type Headers, header } from "./forwarding-handler";

/** Estimates the service's clock from `Date` headers. */
export class ServerClock {
  #least = Number.NEGATIVE_INFINITY;
  #most = Number.POSITIVE_INFINITY;

  /**
   * How far the service's clock is ahead of ours, in milliseconds. It is never overestimated, so that an object that
   * was created after a moment here never appears older than it. 0 before the first response.
   */
  readonly offset = (): number => (Number.isFinite(this.#least) ? this.#least : 0);

  /**
   * The header is truncated to seconds and was written between sending and receiving, so each response narrows the
   * estimate.
   */
  learn(sent: number, received: number, date: number): void {
    if (Number.isNaN(date)) return;
    this.#least = Math.max(this.#least, date - received);
    this.#most = Math.min(this.#most, date + 1000 - sent);
    // One of the clocks was adjusted in the meantime: only the latest response counts.
    if (this.#least > this.#most) [this.#least, this.#most] = [date - received, date + 1000 - sent];
  }
}

export const clock = (server: ServerClock, now: () => number): Interceptor =>
  interceptor((dispatch) => (options, handler) => dispatch(options, new Dated(handler, server, now)));

class Dated extends ForwardingHandler {
  #sent = 0;

  constructor(
    handler: Handler,
    readonly server: ServerClock,
    readonly now: () => number,
  ) {
    super(handler);
  }

  override onRequestStart(controller: Controller, context: unknown): void {
    this.#sent = this.now();
    super.onRequestStart(controller, context);
  }

  override onResponseStart(controller: Controller, status: number, headers: Headers, message?: string): void {
    this.server.learn(this.#sent, this.now(), Date.parse(header(headers, "date") ?? ""));
    super.onResponseStart(controller, status, headers, message);
  }
}
