import { contentTypeOf, fieldsOf, isObject } from "../../api";
import { problemIn } from "./envelope";
import { ApiError, ContractError, LostResponseError, type Reason } from "./errors";
import type { Call } from "./interceptors/call";
import type { RawResponse } from "./interceptors/dispatch";
import { header } from "./interceptors/forwarding-handler";
import { retryAfterMs } from "./interceptors/response-signals";
import { isCovered, scopesIn } from "./interceptors/scopes";
import { type ParsedJson, parseJson } from "./json";

/** Maximum number of characters of an unreadable response in a message. */
const MAX_TEXT_LENGTH = 80;
/** Maximum number of reasons from one error response in a message. */
const MAX_REASONS = 50;

/**
 * The result in a successful response. Throws if the response is an error. Only ids and the paging fields of
 * lists, such as `pages`, are validated: a call does not fail because of other missing or unknown fields (as in
 * linode/terraform-provider-linode#2161).
 */
export function resultOf(call: Call, response: RawResponse): unknown {
  const { result } = call.operation;
  const accepted = contentTypeOf(result);
  if (accepted && response.status < 300) return bytesOf(call, response, accepted);
  // A delete request may have an empty response.
  if (response.status < 300 && !response.body.length && !Object.keys(fieldsOf(result)).length) return {};
  const json = parseJson(response.body);
  const violation = (text: string) => contractError(call, response, text);
  if (response.status >= 400) throw errorFrom(call, response, json);
  if (response.status >= 300) throw violation("is a redirect");
  if (json.problem !== undefined) throw violation(unreadable(call, response, json.problem));
  const value = call.names?.of(result, "from")?.(json.value) ?? json.value;
  const problem = problemIn(call, value);
  if (problem) throw violation(problem);
  return value;
}

/** An error for a response that violates the contract. If the request was a change, it may have been carried out. */
export function contractError(call: Call, response: Omit<RawResponse, "body">, text: string): ContractError {
  const mayBeApplied = call.operation.method !== "GET" && (response.status < 400 || Boolean(call.mayBeDone));
  return new ContractError(
    call.name,
    response.status,
    contentType(call, response),
    text,
    mayBeApplied,
    call.settingNames?.url,
  );
}

function bytesOf(call: Call, response: RawResponse, accepted: string): Uint8Array {
  const type = contentType(call, response).split(";")[0]?.trim().toLowerCase();
  if (type !== accepted) throw contractError(call, response, `is not ${accepted}`);
  return new Uint8Array(response.body);
}

function errorFrom(call: Call, response: RawResponse, json: ParsedJson): Error {
  const { status } = response;
  const errors = isObject(json.value) && Array.isArray(json.value.errors) ? json.value.errors : undefined;
  const problem = json.problem === undefined ? "does not contain errors" : unreadable(call, response, json.problem);
  if (!errors && status < 500 && status !== 429) return contractError(call, response, problem);
  const reasons = (errors ?? [problem]).slice(0, MAX_REASONS).map((error) => reasonOf(call, error));
  const { method } = call.operation;
  const isChange = method !== "GET";
  const hint = hintOf(call, response, reasons);
  // A POST request that fails with a 5xx error is not retried, because it may have been carried out.
  if (status >= 500 && method === "POST") {
    const cause = new ApiError(call.name, status, reasons, hint);
    return new LostResponseError(call.name, cause.message.slice(call.name.length + 2), cause);
  }
  return new ApiError(call.name, status, reasons, hint, isChange && (status >= 500 || Boolean(call.mayBeDone)));
}

function reasonOf({ sanitize, names, operation }: Call, error: unknown): Reason {
  if (!isObject(error)) return { reason: sanitize(String(error)) };
  const reason = sanitize(typeof error.reason === "string" ? error.reason : JSON.stringify(error));
  const field = typeof error.field === "string" ? sanitize(error.field) : undefined;
  return {
    ...(field !== undefined && { field: names?.field(operation.body, field) ?? field }),
    reason,
    ...(names && { meaning: names.text(reason) }),
  };
}

function hintOf(call: Call, response: RawResponse, reasons: readonly Reason[]): string | undefined {
  if (response.status === 401) {
    if (call.settingNames?.token) return `check ${call.settingNames.token}`;
    const theirs = call.names?.dialect.environment.token;
    return theirs
      ? `check cloudinfra:token, CLOUDINFRA_TOKEN or ${theirs}`
      : "check cloudinfra:token or CLOUDINFRA_TOKEN";
  }
  if (response.status === 403) return scopeHint(call, response, reasons);
  if (response.status === 404) return call.sanitize(call.objects) || undefined;
  const ms = response.status === 429 ? retryAfterMs(response) : undefined;
  if (!ms) return undefined;
  return `rate limit: retry after ${Math.ceil(ms / 1000)} s, which exceeds the timeout of this call`;
}

/** The scopes that the operation requires, unless the response itself names them, and those that the token has. */
function scopeHint(
  { operation, sanitize, names }: Call,
  { headers }: RawResponse,
  reasons: readonly Reason[],
): string | undefined {
  const { scopes, grant } = operation;
  const scopesInHeader = (name: string) => {
    const list = header(headers, name);
    return list === undefined ? undefined : scopesIn(sanitize(list));
  };
  const required = scopesInHeader("x-accepted-oauth-scopes") ?? scopes.map((scope) => names?.text(scope) ?? scope);
  const granted = scopesInHeader("x-oauth-scopes");
  if (required.every((scope) => granted && isCovered(scope, granted)))
    return grant && `requires the grant ${names?.text(grant) ?? grant}`;
  const isMentioned = required.every((scope) => reasons.some(({ reason }) => reason.includes(scope)));
  const parts = [
    ...(isMentioned ? [] : [`requires the scope ${required.join(" ")}`]),
    ...(granted ? [`the token has ${granted.join(" ") || "none"}`] : []),
  ];
  return parts.join("; ") || undefined;
}

/** The beginning of an unreadable response. Text that looks like JSON is not shown, because it may contain secrets. */
function unreadable({ sanitize }: Call, { body }: RawResponse, problem: string): string {
  const text = sanitize(body.toString());
  if (!text) return "is empty";
  if (/^[[{]/.test(text)) return problem;
  return `is not JSON: ${text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text}`;
}

const contentType = ({ sanitize }: Call, { headers }: Pick<RawResponse, "headers">): string =>
  sanitize(header(headers, "content-type") ?? "without content type");
