import { reasons } from "../../../api";
import { parsed } from "../json";
import type { RawResponse } from "./dispatch";
import { header } from "./forwarding-handler";

/** Whether another job holds the instance. */
export const isBusy = ({ body }: RawResponse): boolean => body.includes(`"${reasons.busy}"`);

/** How long the service asks to be left alone, in full: its `Retry-After`, in seconds or as a date by its own clock. */
export function retryAfterMs({ headers }: Pick<RawResponse, "headers">): number | undefined {
  const asked = header(headers, "retry-after");
  if (asked === undefined) return undefined;
  if (/^\d+$/.test(asked.trim())) return Number(asked) * 1000;
  const ms = Date.parse(asked) - Date.parse(header(headers, "date") ?? new Date().toUTCString());
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Without a length, the end of the connection is the end of the response, cut or not: only the text can tell. */
export function isCutShort({ headers, body }: RawResponse): boolean {
  const delimited =
    header(headers, "content-length") !== undefined || header(headers, "transfer-encoding") !== undefined;
  if (delimited || !header(headers, "content-type")?.includes("json")) return false;
  const json = parsed(body);
  return json.problem !== undefined && json.isBroken;
}
