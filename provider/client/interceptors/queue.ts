import type { CallEnded } from "../ending";
import { unlessAborted } from "../time";
import { type Handler, type Interceptor, interceptor } from "./call";
import { DispatchFailure } from "./dispatch";
import { type Controller, ForwardingHandler, type Headers } from "./forwarding-handler";
import { fail } from "./replay";

/**
 * Sends requests that change the same compute instance one after the other. If they were sent in parallel, the service
 * would reject all except the first, because the instance is busy.
 */
export const queue = (): Interceptor => {
  const tails = new Map<string, Promise<void>>();

  return interceptor((dispatch) => (options, handler) => {
    const { instance, waitSignal } = options.call;
    if (instance === undefined) return dispatch(options, handler);
    const previous = tails.get(instance) ?? Promise.resolve();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const tail = previous.then(() => released);
    tails.set(instance, tail);
    void tail.then(() => tails.get(instance) === tail && tails.delete(instance));
    unlessAborted(previous, waitSignal).then(
      () => dispatch(options, new QueueHandler(handler, release)),
      ({ by, cause }: CallEnded) => {
        release();
        fail(new DispatchFailure(by, false, `while waiting for other calls to instance ${instance}`, cause), handler);
      },
    );
    return true;
  });
};

class QueueHandler extends ForwardingHandler {
  constructor(
    handler: Handler,
    readonly release: () => void,
  ) {
    super(handler);
  }

  override onResponseEnd(controller: Controller, trailers: Headers): void {
    this.release();
    super.onResponseEnd(controller, trailers);
  }

  override onResponseError(controller: Controller, error: Error): void {
    this.release();
    super.onResponseError(controller, error);
  }
}
