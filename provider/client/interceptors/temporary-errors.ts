import { reasons } from "../../../api";

/** Error responses after which a request is sent again. */
export interface TemporaryError {
  status: { from: number; to: number };
  /** The reason that the response must contain. If omitted, every reason is covered. */
  reason?: string;
  /** The text in the log. If omitted, the status. */
  text?: string;
  /**
   * How long requests are repeated. With `deadline`, until the deadline of the call, because the error guarantees that
   * nothing was carried out: also a POST. With `max`, as often as the setting `maxRetries` allows, and never a POST.
   * Repetitions are counted from the first attempt of the call, separately for both limits.
   */
  limit: "deadline" | "max";
  /** Whether a `Retry-After` header replaces the own delay, is its minimum, or is ignored. */
  retryAfter: "replaces" | "minimum" | "ignored";
}

const temporaryErrors: readonly TemporaryError[] = [
  { status: { from: 429, to: 429 }, text: "429 too many requests", limit: "deadline", retryAfter: "replaces" },
  {
    status: { from: 400, to: 400 },
    reason: reasons.busy,
    text: reasons.busy,
    limit: "deadline",
    retryAfter: "ignored",
  },
  { status: { from: 500, to: Number.POSITIVE_INFINITY }, limit: "max", retryAfter: "minimum" },
];

/** The temporary error that a response reports, if any. `has` returns whether the response contains a reason. */
export const temporaryErrorOf = (status: number, has: (reason: string) => boolean): TemporaryError | undefined =>
  temporaryErrors.find(
    ({ status: { from, to }, reason }) => status >= from && status <= to && (reason === undefined || has(reason)),
  );
