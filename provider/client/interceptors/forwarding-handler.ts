import type { Dispatcher } from "undici";
import type { Handler } from "./call";

type Controller = Dispatcher.DispatchController;
type Headers = Parameters<NonNullable<Handler["onResponseStart"]>>[2];

/** Hands everything on to the handler behind it; an interceptor overrides what it wants to see. */
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

/** A header's value; where a header is repeated, the first. */
export const header = (headers: Headers, name: string): string | undefined => [headers[name] ?? []].flat()[0];

/** A body from its pieces; one that came whole is not copied. */
export const joined = (chunks: readonly Buffer[]): Buffer =>
  chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);

export type { Controller, Headers };
