import { counted } from "../../api";
import { isLoopback } from "../../provider/client/address";
import { ApiError, CancelledError, ContractError, UnreachableError } from "../../provider/client/errors";
import type { ReceivedResponse } from "../../provider/client/options";
import { type Check, notChecked, ok, problem } from "./check";

/** Difference of the clocks, in milliseconds, from which it is a problem. */
const MAX_SKEW_MS = 60_000;

/** Whether the service has responded as the API does. `failure` is the error of the request, if it failed. */
export function apiCheck(response: ReceivedResponse | undefined, failure: Error | undefined): Check {
  const name = "API";
  if (response?.status !== undefined && response.status < 500 && !(failure instanceof ContractError))
    return ok(name, `responded in ${response.ms} ms`);
  if (failure instanceof ApiError)
    return problem(name, `responded with ${failure.status}: ${reasonsOf(failure)}`, "Try again later");
  if (failure instanceof ContractError)
    return problem(
      name,
      `the response (${failure.status}, ${failure.contentType}) ${failure.what}`,
      "Correct the address: it is that of another server, or a proxy responds instead",
    );
  if (failure instanceof UnreachableError)
    return problem(name, failure.why, "Check the connection above, the proxy and the address");
  if (failure instanceof CancelledError || (failure as { timedOut?: boolean } | undefined)?.timedOut)
    return problem(name, "no response in time", "Try again with a longer --timeout, or check the network");
  return notChecked(name, failure?.message ?? "no request was sent");
}

export const reasonsOf = ({ reasons }: ApiError): string =>
  reasons.map(({ reason }) => reason).join("; ") || "no reason given";

/** Compares the clock of the service with that of this machine at the time of the response. */
export function clockCheck(response: ReceivedResponse, receivedAt: number, url: URL): Check {
  const name = "clock";
  const date = Date.parse(response.headers?.date ?? "");
  if (Number.isNaN(date)) return notChecked(name, "the response has no Date");
  // The header has no fractions of seconds, and the response took some time.
  const [early, late] = [receivedAt - response.ms - date - 1000, receivedAt - date];
  const ms = early > 0 ? early : Math.min(late, 0);
  if (Math.abs(ms) < MAX_SKEW_MS) return ok(name, ms ? `differs by ${duration(ms)}` : "no difference");
  const text = `this machine is ${duration(ms)} ${ms > 0 ? "ahead of" : "behind"} the service`;
  // The service is on the same machine, and an emulator has a clock of its own.
  if (isLoopback(url)) return ok(name, `${text}, an emulator whose clock was set`);
  return problem(name, text, 'Set the clock of this machine, for example with "timedatectl set-ntp true"');
}

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

function duration(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000);
  const [unit, size] = units.find(([, size]) => seconds >= 2 * size) ?? (["second", 1] as const);
  return counted(Math.floor(seconds / size), unit);
}

/** The requests that the token may still send in the current time window. */
export function rateLimitCheck({ headers = {}, status }: ReceivedResponse, receivedAt: number): Check {
  const name = "rate limit";
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((part) =>
    numberIn(headers[`x-ratelimit-${part}`]),
  );
  const isExceeded = status === 429 || remaining === 0;
  if (!isExceeded && (limit === undefined || remaining === undefined))
    return notChecked(name, "the API does not report it");
  const date = Date.parse(headers.date ?? "");
  const seconds =
    reset === undefined ? undefined : Math.max(0, Math.round(reset - (Number.isNaN(date) ? receivedAt : date) / 1000));
  const until = seconds === undefined ? "" : `, resets in ${seconds} s`;
  if (!isExceeded) return ok(name, `${remaining} of ${limit} requests left${until}`);
  const advice = "Wait, and then run with fewer parallel operations (--parallel 4) or set cloudinfra:rateLimit";
  return problem(name, `no requests left of ${limit ?? "the limit"}${until}`, advice);
}

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
