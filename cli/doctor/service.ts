import { counted, type DialectName, dialectNames, fieldsOf, isObject, operations, translationOf } from "../../api";
import { addressOf, isLoopback } from "../../provider/client/address";
import { ApiError, CancelledError, ContractError, UnreachableError } from "../../provider/client/errors";
import type { ReceivedResponse } from "../../provider/client/options";
import { type Check, notChecked, ok, problem } from "./check";

/** Difference of the clocks, in milliseconds, from which it is a problem. */
const MAX_SKEW_MS = 60_000;

/** The service that requests were sent to. */
export interface Service {
  url: URL;
  dialect: DialectName | undefined;
}

/** Responses to a token that is not valid or lacks a scope, which have checks of their own. */
export const isRejection = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403);

/** After a response that too many requests were sent, the failure is that no further one is. */
export const isLimited = (response: ReceivedResponse | undefined): boolean => response?.status === 429;

/** Whether the service has returned its account as the API does. `failure` is the error of the request, if it failed. */
export function apiCheck(response: ReceivedResponse | undefined, failure: Error | undefined, service: Service): Check {
  const name = "API";
  if (failure && !isRejection(failure) && !isLimited(response)) return failureCheck(name, failure, service);
  if (!response) return notChecked(name, "no request was sent");
  if (response.status === 200 && !isAccount(response.body))
    return problem(name, `${addressOf(service.url.href)} did not respond with an account`, correction(service));
  return ok(name, `responded in ${response.ms} ms`);
}

const accountFields = Object.keys(fieldsOf(operations.account.view.result));

/** Whether a response has any field of an account, of which none is certain. */
const isAccount = (body: unknown): boolean => isObject(body) && accountFields.some((field) => field in body);

/** The problem that an error of a request shows. */
export function failureCheck(name: string, failure: Error, service: Service): Check {
  if (failure instanceof ApiError) {
    const { operation, status } = failure;
    const message = `${addressOf(service.url.href)} responded to ${operation} with ${status}: ${reasonsOf(failure)}`;
    return problem(name, message, status < 500 ? correction(service, operation) : "Try again later");
  }
  if (failure instanceof ContractError)
    return problem(
      name,
      `the response (${failure.status}, ${failure.contentType}) ${failure.what}`,
      "Correct the address: it is that of another server, or a proxy responds instead",
    );
  if (failure instanceof UnreachableError)
    return problem(name, failure.why, "Check the connection above, the proxy and the address");
  if (failure instanceof CancelledError || (failure as { timedOut?: boolean }).timedOut)
    return problem(name, `no response in time: ${failure.message}`, "Check the network, or try again later");
  return problem(name, failure.message, "Check the address and the network");
}

/** The next step if another API responds, or one that has other names. */
function correction({ url, dialect }: Service, operation?: string): string {
  const other = dialectAt(url);
  if (dialect)
    return other === dialect
      ? "Correct the address"
      : `Correct the address, or unset cloudinfra:dialect and CLOUDINFRA_DIALECT if the service has the names of this package, not those of ${dialect}`;
  if (other) return `Run "pulumi config set cloudinfra:dialect ${other}", because ${url.hostname} has other names`;
  // The path of the account is the same in all dialects.
  const isDialectPossible = operation !== undefined && operation !== "account.view";
  const alternative = `; if the service has the names of ${dialectNames.join(" or ")}, set cloudinfra:dialect`;
  return `Correct the address: it is that of another API${isDialectPossible ? alternative : ""}`;
}

/** The dialect of the public service that an address belongs to, according to its domain. */
export const dialectAt = ({ hostname }: URL): DialectName | undefined =>
  dialectNames.find((name) => {
    const domain = new URL(translationOf(name).dialect.url).hostname.split(".").slice(-2).join(".");
    return hostname === domain || hostname.endsWith(`.${domain}`);
  });

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
