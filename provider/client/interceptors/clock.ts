import { type Handler, type Interceptor, interceptor } from "./call";
import { type Controller, ForwardingHandler, type Headers, header } from "./forwarding-handler";

/** Tracks the service's clock by the `Date` headers. */
export class ServerClock {
  #least = Number.NEGATIVE_INFINITY;
  #most = Number.POSITIVE_INFINITY;

  /**
   * How far the service's clock is ahead of ours, in milliseconds; at most the truth, so that what was made after a
   * moment here never looks older than it. 0 before the first response.
   */
  readonly offset = (): number => (Number.isFinite(this.#least) ? this.#least : 0);

  /** The header is cut to seconds and written between sending and receiving, so each response narrows the estimate. */
  learn(sent: number, received: number, date: number): void {
    if (Number.isNaN(date)) return;
    this.#least = Math.max(this.#least, date - received);
    this.#most = Math.min(this.#most, date + 1000 - sent);
    // One of the clocks was set meanwhile: only what was seen last counts.
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
