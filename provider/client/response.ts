import { contentTypeOf, fieldsOf, isObject } from "../../api";
import { problemIn } from "./envelope";
import { ApiError, ContractError, LostAnswerError, type Reason } from "./errors";
import type { Call } from "./interceptors/call";
import type { RawResponse } from "./interceptors/dispatch";
import { header } from "./interceptors/forwarding-handler";
import { retryAfterMs } from "./interceptors/response-signals";
import { isCovered, scopesIn } from "./interceptors/scopes";
import { type Parsed, parsed } from "./json";

/** Maximum number of characters of an unreadable response in a message. */
const SHOWN = 80;
/** Maximum number of reasons from one error response in a message. */
const MOST_REASONS = 50;

/**
 * The result in a successful response. Throws if the response is an error. Only ids and the paging fields of
 * lists, such as `pages`, are validated: a call does not fail because of other missing or unknown fields (as in
 * linode/terraform-provider-linode#2161).
 */
export function resultOf(call: Call, response: RawResponse): unknown {
  const { result } = call.operation;
  const wanted = contentTypeOf(result);
  if (wanted && response.status < 300) return bytesOf(call, response, wanted);
  // A delete request may have an empty response.
  if (response.status < 300 && !response.body.length && !Object.keys(fieldsOf(result)).length) return {};
  const json = parsed(response.body);
  const broken = (what: string) => contractError(call, response, what);
  if (response.status >= 400) throw refusalOf(call, response, json);
  if (response.status >= 300) throw broken("is a redirect");
  if (json.problem !== undefined) throw broken(unreadable(call, response, json.problem));
  const problem = problemIn(call, json.value);
  if (problem) throw broken(problem);
  return json.value;
}

/** An error for a response that violates the contract. If the request was a change, it may have been carried out. */
export function contractError(call: Call, response: Omit<RawResponse, "body">, what: string): ContractError {
  const mayBeDone = call.operation.method !== "GET" && response.status < 400;
  return new ContractError(call.name, response.status, contentType(call, response), what, mayBeDone);
}

function bytesOf(call: Call, response: RawResponse, wanted: string): Uint8Array {
  const type = contentType(call, response).split(";")[0]?.trim().toLowerCase();
  if (type !== wanted) throw contractError(call, response, `is not ${wanted}`);
  return new Uint8Array(response.body);
}

function refusalOf(call: Call, response: RawResponse, json: Parsed): Error {
  const { status } = response;
  const errors = isObject(json.value) && Array.isArray(json.value.errors) ? json.value.errors : undefined;
  const why = json.problem === undefined ? "does not contain errors" : unreadable(call, response, json.problem);
  if (!errors && status < 500 && status !== 429) return contractError(call, response, why);
  const reasons = (errors ?? [why]).slice(0, MOST_REASONS).map((error) => reasonOf(call, error));
  const refusal = new ApiError(call.name, status, reasons, hintOf(call, response, reasons));
  // A create request that fails with a 5xx error may have been carried out, so it must not be retried.
  if (status < 500 || call.operation.method !== "POST") return refusal;
  return new LostAnswerError(call.name, refusal.message.slice(call.name.length + 2), refusal);
}

function reasonOf({ sanitize }: Call, error: unknown): Reason {
  if (!isObject(error)) return { reason: sanitize(String(error)) };
  const reason = sanitize(typeof error.reason === "string" ? error.reason : JSON.stringify(error));
  return typeof error.field === "string" ? { field: sanitize(error.field), reason } : { reason };
}

function hintOf(call: Call, response: RawResponse, reasons: readonly Reason[]): string | undefined {
  if (response.status === 401) return "check cloudinfra:token or CLOUDINFRA_TOKEN";
  if (response.status === 403) return scopeHint(call, response, reasons);
  if (response.status === 404) return call.sanitize(call.about) || undefined;
  const ms = response.status === 429 ? retryAfterMs(response) : undefined;
  if (!ms) return undefined;
  return `rate limit: retry after ${Math.ceil(ms / 1000)} s, which exceeds the timeout of this call`;
}

/** The scopes that the operation requires, unless the response itself names them, and those that the token has. */
function scopeHint(
  { operation, sanitize }: Call,
  { headers }: RawResponse,
  reasons: readonly Reason[],
): string | undefined {
  const { scopes, grant } = operation;
  const listed = (name: string) => {
    const list = header(headers, name);
    return list === undefined ? undefined : scopesIn(sanitize(list));
  };
  const needed = listed("x-accepted-oauth-scopes") ?? scopes;
  const held = listed("x-oauth-scopes");
  if (needed.every((scope) => held && isCovered(scope, held))) return grant && `requires the grant ${grant}`;
  const isNamed = needed.every((scope) => reasons.some(({ reason }) => reason.includes(scope)));
  const parts = [
    ...(isNamed ? [] : [`requires the scope ${needed.join(" ")}`]),
    ...(held ? [`the token has ${held.join(" ") || "none"}`] : []),
  ];
  return parts.join("; ") || undefined;
}

/** The beginning of an unreadable response. Text that looks like JSON is not shown, because it may contain secrets. */
function unreadable({ sanitize }: Call, { body }: RawResponse, problem: string): string {
  const text = sanitize(body.toString());
  if (!text) return "is empty";
  if (/^[[{]/.test(text)) return problem;
  return `is not JSON: ${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}`;
}

const contentType = ({ sanitize }: Call, { headers }: Pick<RawResponse, "headers">): string =>
  sanitize(header(headers, "content-type") ?? "without content type");
