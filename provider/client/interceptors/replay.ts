import type { Handler } from "./call";
import type { RawResponse } from "./dispatch";
import type { Controller } from "./forwarding-handler";

/** Passes a complete response to an undici handler, with the same callbacks as for a response that is just arriving. */
export function replay(response: RawResponse, handler: Handler): void {
  handler.onRequestStart?.(finished, {});
  handler.onResponseStart?.(finished, response.status, response.headers);
  handler.onResponseData?.(finished, response.body);
  handler.onResponseEnd?.(finished, {});
}

export const fail = (error: unknown, handler: Handler): void => handler.onResponseError?.(finished, error as Error);

/** A controller for requests that have ended, which cannot be aborted any more. */
const finished: Controller = { aborted: false, paused: false, reason: null, abort() {}, pause() {}, resume() {} };
