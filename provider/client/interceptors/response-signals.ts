import { parseJson } from "../json";
import type { RawResponse } from "./dispatch";
import { header } from "./forwarding-handler";

/** Whether the API rejected the request for this reason. */
export const hasReason = ({ body }: RawResponse, reason: string): boolean => body.includes(JSON.stringify(reason));

/**
 * The delay in a `Retry-After` header in milliseconds. The header contains seconds, or a date by the service's clock.
 */
export function retryAfterMs({ headers }: Pick<RawResponse, "headers">): number | undefined {
  const retryAfter = header(headers, "retry-after");
  if (retryAfter === undefined) return undefined;
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1000;
  const ms = Date.parse(retryAfter) - Date.parse(header(headers, "date") ?? new Date().toUTCString());
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/**
 * Whether a JSON body was cut off. If the response has no `Content-Length`, only invalid JSON shows that the connection
 * was interrupted.
 */
export function isTruncated({ headers, body }: RawResponse): boolean {
  const isDelimited =
    header(headers, "content-length") !== undefined || header(headers, "transfer-encoding") !== undefined;
  if (isDelimited || !header(headers, "content-type")?.includes("json")) return false;
  const json = parseJson(body);
  return json.problem !== undefined && json.isBroken;
}
