import { callsThrough, callsWith } from "../client/calls-until";
import { CancelledError, CloudInfraError } from "../client/errors";
import { unlessAborted } from "../client/time";
import type { Host } from "../engine/host";

/** Pulumi has cancelled the update. */
export class InterruptedError extends CloudInfraError {
  override readonly name = "InterruptedError";

  constructor() {
    super("the update was interrupted: the next update continues where this one stopped");
  }
}

/**
 * A connection to the API for operations that can be cancelled. Cancelling ends waits immediately. Requests that change
 * something are completed if they are in progress, and otherwise not sent, because the next update may already run.
 * `isReadOnly`: also ends the requests of an operation that changes nothing. After a change, they are completed, because
 * they find the object of a lost response.
 */
export function cancellable(host: Host, signal: AbortSignal, { isReadOnly = false } = {}): Host {
  const withReason = (error: unknown): never => {
    throw error instanceof CancelledError && signal.aborted ? signal.reason : error;
  };
  const untilCancelled = <T>(work: Promise<T>): Promise<T> => unlessAborted(work, signal);
  return {
    ...host,
    api: callsThrough(
      callsWith(host.api, (options) => ({ signalUntilSent: signal, ...(isReadOnly && { signal }), ...options })),
      (_, call) => call().catch(withReason),
    ),
    async data(request) {
      signal.throwIfAborted();
      return host.data(request);
    },
    reads: { view: (area, path, options) => untilCancelled(host.reads.view(area, path, options)) },
    withDeadline: (work, what) => untilCancelled(host.withDeadline(work, what)),
    pollSchedule(...args) {
      const nextPoll = host.pollSchedule(...args);
      return (deadline) => untilCancelled(nextPoll(deadline));
    },
  };
}
