import type { Time } from "./time";

/** The reason why a call was cancelled: by the caller, or because its deadline passed. */
export class CallEnded extends Error {
  override readonly name = "Ended";

  constructor(
    readonly by: "caller" | "deadline",
    override readonly cause?: unknown,
  ) {
    super(by === "caller" ? "cancelled" : "timed out");
  }
}

export interface CallEnding {
  /** Aborted with a `CallEnded` when the caller aborts or when the deadline passes, whichever comes first. */
  signal: AbortSignal;
  /** Removes the timer of the deadline and the listener of the caller's signal. */
  clear(): void;
}

/** Returns a signal that is aborted when the caller's signal is aborted or when the deadline passes. */
export function endingOf(
  deadline: number,
  caller: AbortSignal | undefined,
  { now, timer }: Pick<Time, "now" | "timer">,
): CallEnding {
  const controller = new AbortController();
  const cancel = () => controller.abort(new CallEnded("caller", caller?.reason));
  const expire = () => controller.abort(new CallEnded("deadline"));
  if (caller?.aborted) cancel();
  else if (now() >= deadline) expire();
  if (controller.signal.aborted) return { signal: controller.signal, clear: () => {} };
  caller?.addEventListener("abort", cancel, { once: true });
  const stop = deadline === Number.POSITIVE_INFINITY ? () => {} : timer(deadline - now(), expire);
  const clear = () => {
    caller?.removeEventListener("abort", cancel);
    stop();
  };
  return { signal: controller.signal, clear };
}
