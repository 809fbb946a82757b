import { type Handler, type Interceptor, interceptor } from "./call";
import { type Controller, ForwardingHandler, type Headers, header } from "./forwarding-handler";

/** The time of the service's clock, in milliseconds since 1970. */
export interface ServerTime {
  /**
   * The estimated current time. The estimate is too high if the service's clock stops between two requests, as the
   * emulator's clock can.
   */
  estimated: number;
  /** The time in the last response. */
  lastSeen: number;
}

/** Estimates the time of the service's clock from `Date` headers. */
export class ServerClock {
  #minOffset = Number.NEGATIVE_INFINITY;
  #maxOffset = Number.POSITIVE_INFINITY;
  #lastDate: number | undefined;

  /**
   * Milliseconds by which the service's clock is ahead of this machine's clock; 0 before the first response. Of all
   * possible values, the lowest is used, because a higher one could make a new object appear older than the request
   * that created it.
   */
  readonly offset = (): number => (Number.isFinite(this.#minOffset) ? this.#minOffset : 0);

  /**
   * The service's time when this machine's clock shows `now`, and the time in the service's last response. Before the
   * first response, both are `now`.
   */
  readonly time = (now: number): ServerTime => ({ estimated: now + this.offset(), lastSeen: this.#lastDate ?? now });

  /**
   * Improves the estimate with a `Date` header. The service wrote the header between `sent` and `received` and
   * truncated it to seconds, which limits the possible difference between the two clocks.
   */
  update(sent: number, received: number, date: number): void {
    if (Number.isNaN(date)) return;
    this.#lastDate = date;
    this.#minOffset = Math.max(this.#minOffset, date - received);
    this.#maxOffset = Math.min(this.#maxOffset, date + 1000 - sent);
    // The header contradicts the estimate, so one of the clocks was adjusted. From now on, the estimate is based on
    // this response only.
    if (this.#minOffset > this.#maxOffset) [this.#minOffset, this.#maxOffset] = [date - received, date + 1000 - sent];
  }
}

export const clock = (server: ServerClock, now: () => number): Interceptor =>
  interceptor((dispatch) => (options, handler) => dispatch(options, new ClockHandler(handler, server, now)));

class ClockHandler extends ForwardingHandler {
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
    this.server.update(this.#sent, this.now(), Date.parse(header(headers, "date") ?? ""));
    super.onResponseStart(controller, status, headers, message);
  }
}
