import type { Dispatcher } from "undici";
import type { Handler } from "./call";

type Controller = Dispatcher.DispatchController;
type Headers = Parameters<NonNullable<Handler["onResponseStart"]>>[2];

/**
 * Base class of the interceptors' response handlers: forwards undici's callbacks, such as `onResponseStart`, to the
 * next handler. Subclasses override the callbacks that they need.
 */
export class ForwardingHandler implements Handler {
  readonly #handler: Handler;

  constructor(handler: Handler) {
    this.#handler = handler;
  }

  onRequestStart(controller: Controller, context: unknown): void {
    this.#handler.onRequestStart?.(controller, context);
  }

  onResponseStart(controller: Controller, status: number, headers: Headers, message?: string): void {
    this.#handler.onResponseStart?.(controller, status, headers, message);
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(controller: Controller, trailers: Headers): void {
    this.#handler.onResponseEnd?.(controller, trailers);
  }

  onResponseError(controller: Controller, error: Error): void {
    this.#handler.onResponseError?.(controller, error);
  }
}

/** The value of a header. If the header is repeated, the first value. */
export const header = (headers: Headers, name: string): string | undefined => [headers[name] ?? []].flat()[0];

/** Joins the chunks of a body. A single chunk is not copied. */
export const concatenated = (chunks: readonly Buffer[]): Buffer =>
  chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);

export type { Controller, Headers };
