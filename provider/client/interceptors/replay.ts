import type { Handler } from "./call";
import type { RawResponse } from "./dispatch";
import type { Controller } from "./forwarding-handler";

/** Passes a complete response to an undici handler, with the same callbacks as for a response that is just arriving. */
export function replay(response: RawResponse, handler: Handler): void {
  handler.onRequestStart?.(endedRequest, {});
  handler.onResponseStart?.(endedRequest, response.status, response.headers);
  handler.onResponseData?.(endedRequest, response.body);
  handler.onResponseEnd?.(endedRequest, {});
}

export const fail = (error: unknown, handler: Handler): void => handler.onResponseError?.(endedRequest, error as Error);

/** A controller for requests that have ended, which cannot be aborted any more. */
const endedRequest: Controller = { aborted: false, paused: false, reason: null, abort() {}, pause() {}, resume() {} };
