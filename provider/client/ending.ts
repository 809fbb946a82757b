import type { Time } from "./time";

/** The reason why a call was cancelled: by the caller, or because its deadline passed. */
export class Ended extends Error {
  override readonly name = "Ended";

  constructor(
    readonly by: "caller" | "deadline",
    override readonly cause?: unknown,
  ) {
    super(by === "caller" ? "cancelled" : "timed out");
  }
}

export interface Ending {
  /** Aborted with an `Ended` when the caller aborts or when the deadline passes, whichever comes first. */
  signal: AbortSignal;
  /** Removes the timer of the deadline and the listener of the caller's signal. */
  clear(): void;
}

/** Returns a signal that is aborted when the caller's signal is aborted or when the deadline passes. */
export function endingOf(
  deadline: number,
  caller: AbortSignal | undefined,
  { now, timer }: Pick<Time, "now" | "timer">,
): Ending {
  const ending = new AbortController();
  const cancelled = () => ending.abort(new Ended("caller", caller?.reason));
  const late = () => ending.abort(new Ended("deadline"));
  if (caller?.aborted) cancelled();
  else if (now() >= deadline) late();
  if (ending.signal.aborted) return { signal: ending.signal, clear: () => {} };
  caller?.addEventListener("abort", cancelled, { once: true });
  const stop = deadline === Number.POSITIVE_INFINITY ? () => {} : timer(deadline - now(), late);
  const clear = () => {
    caller?.removeEventListener("abort", cancelled);
    stop();
  };
  return { signal: ending.signal, clear };
}
