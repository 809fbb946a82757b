import type { Handler } from "./call";
import type { RawResponse } from "./dispatch";
import type { Controller } from "./forwarding-handler";

/** Replays a complete response to a handler that expects it in chunks. */
export function replay(response: RawResponse, handler: Handler): void {
  handler.onRequestStart?.(finished, {});
  handler.onResponseStart?.(finished, response.status, response.headers);
  handler.onResponseData?.(finished, response.body);
  handler.onResponseEnd?.(finished, {});
}

/** Reports a failed request to a handler. */
export const fail = (error: unknown, handler: Handler): void => handler.onResponseError?.(finished, error as Error);

/** Replaces the controller of an exchange that has ended: nothing can be aborted any more. */
const finished: Controller = { aborted: false, paused: false, reason: null, abort() {}, pause() {}, resume() {} };
