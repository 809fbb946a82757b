import { contentTypeOf } from "../../api/bytes";
import { entryOf } from "../../api/lists";
import { fieldsOf } from "../../api/meta";
import type { Operation } from "../../api/operation";
import { ApiError, ContractError, LostAnswerError, type Reason } from "./errors";
import type { Call } from "./interceptors/call";
import type { Answer } from "./interceptors/exchange";
import { header } from "./interceptors/relay";
import { retryAfterMs } from "./interceptors/signs";

type Json = Record<string, unknown>;

/** As much of an answer that nobody can read as a message shows. */
const SHOWN = 80;

/** Whether the operation lists, page by page. */
export const isPaged = (operation: Operation): boolean => entryOf(operation) !== undefined;

/**
 * What the service answers, or the error that it stands for. Only the envelope is looked at: a field that is missing
 * or unknown here is no reason to fail (linode/terraform-provider-linode#2161).
 */
export function resultOf(call: Call, answer: Answer): unknown {
  const wanted = contentTypeOf(call.operation.result);
  if (wanted && answer.status < 300) return bytesOf(call, answer, wanted);
  // Deletions and the like may answer nothing at all.
  if (answer.status < 300 && !answer.body.length && !Object.keys(fieldsOf(call.operation.result)).length) return {};
  const json = jsonOf(answer);
  if (answer.status >= 400) throw refusalOf(call, answer, json);
  const broken = (what: string) => new ContractError(call.name, answer.status, contentType(answer), what);
  if (answer.status >= 300) throw broken("sends us elsewhere");
  if (json === undefined) throw broken(unreadable(call, answer));
  if (!isObject(json)) throw broken("is no JSON object");
  if (isPaged(call.operation) && !Array.isArray(json.data)) throw broken("is no page of a list: it has no data array");
  return json;
}

function bytesOf({ name }: Call, answer: Answer, wanted: string): Uint8Array {
  const type = contentType(answer);
  if (type.split(";")[0]?.trim().toLowerCase() !== wanted)
    throw new ContractError(name, answer.status, type, `is no ${wanted}`);
  return new Uint8Array(answer.body);
}

function refusalOf(call: Call, answer: Answer, json: unknown): Error {
  const { status } = answer;
  const errors = isObject(json) && Array.isArray(json.errors) ? json.errors : undefined;
  if (!errors && status < 500 && status !== 429) {
    return new ContractError(call.name, status, contentType(answer), unreadable(call, answer, json));
  }
  const reasons = (errors ?? [unreadable(call, answer, json)]).map((error) => reasonOf(call, error));
  const refusal = new ApiError(call.name, status, reasons, hintOf(call, answer));
  // A failure in the middle of what must not be repeated leaves open whether it was carried out.
  if (status < 500 || call.operation.method !== "POST") return refusal;
  return new LostAnswerError(call.name, refusal.message.slice(call.name.length + 2), refusal);
}

function reasonOf({ hide }: Call, error: unknown): Reason {
  if (!isObject(error)) return { reason: hide(String(error)) };
  const reason = hide(typeof error.reason === "string" ? error.reason : JSON.stringify(error));
  return typeof error.field === "string" ? { field: hide(error.field), reason } : { reason };
}

/** What the user can do about it. */
function hintOf({ operation }: Call, answer: Answer): string | undefined {
  if (answer.status === 401) return "check cloudinfra:token or CLOUDINFRA_TOKEN";
  if (answer.status === 403) return scopeHint(operation, answer);
  const ms = answer.status === 429 ? retryAfterMs(answer) : undefined;
  if (!ms) return undefined;
  return `the service asks to wait ${Math.ceil(ms / 1000)} s, which is longer than this call may take`;
}

function scopeHint({ scopes, grant }: Operation, { headers }: Answer): string | undefined {
  const needed = words(header(headers, "x-accepted-oauth-scopes")) ?? scopes;
  const held = words(header(headers, "x-oauth-scopes"));
  if (!needed.some((scope) => !held?.some((has) => covers(has, scope)))) return grant && `needs the grant ${grant}`;
  return `needs the scope ${needed.join(" ")}${held ? `; the token has ${held.join(" ") || "none"}` : ""}`;
}

const words = (list: string | undefined): string[] | undefined => list?.split(/[\s,]+/).filter(Boolean);

const covers = (has: string, scope: string): boolean =>
  has === "*" || has === scope || has === scope.replace("read_only", "read_write");

/** Text that looks like JSON is described but never shown: it may hold an answer's secrets. */
function unreadable({ hide }: Call, { body }: Answer, json?: unknown): string {
  const text = body.toString().trim();
  if (!text) return "is empty";
  if (json !== undefined) return "names no errors";
  if (/^[[{]/.test(text)) return `is broken JSON of ${body.length} bytes`;
  const shown = hide(text).replace(/\s+/g, " ");
  return `is no JSON: ${shown.length > SHOWN ? `${shown.slice(0, SHOWN)}…` : shown}`;
}

/** Undefined for what is no JSON. */
function jsonOf({ body }: Answer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

const contentType = ({ headers }: Answer): string => header(headers, "content-type") ?? "without content type";

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
