import { redact } from "../../../api";
import type { Hooks, ReceivedResponse, SentRequest } from "../options";
import { type Call, type Handler, type Interceptor, interceptor } from "./call";
import type { Controller, Headers } from "./forwarding-handler";
import { RecordingHandler } from "./recording-handler";

/**
 * Calls the user's hooks for every attempt. Each retry counts as an attempt, and the hooks do not receive the token.
 */
export const callHooks = (hooks: Hooks, origin: string, now: () => number): Interceptor => {
  const attempts = new WeakMap<Call, number>();
  return interceptor((dispatch) => (options, handler) => {
    if (!hooks.request && !hooks.response) return dispatch(options, handler);
    const { call, method, path, headers } = options;
    const attempt = (attempts.get(call) ?? 0) + 1;
    attempts.set(call, attempt);
    const request = { operation: call.name, method, url: call.hide(`${origin}${path}`), attempt };
    const body = sentBody(call);
    callHook(hooks.request?.bind(hooks), {
      ...request,
      headers: redactedHeaders(headers, call),
      ...(body !== undefined && { body }),
    } satisfies SentRequest);
    return dispatch(options, new HooksHandler(handler, call, request, hooks, now));
  });
};

type AttemptInfo = Pick<ReceivedResponse, "operation" | "method" | "url" | "attempt">;

class HooksHandler extends RecordingHandler {
  #startedAt: number;

  constructor(
    handler: Handler,
    call: Call,
    readonly request: AttemptInfo,
    readonly hooks: Hooks,
    readonly now: () => number,
  ) {
    super(handler, call, true);
    this.#startedAt = now();
  }

  override onRequestStart(controller: Controller, context: unknown): void {
    this.#startedAt = this.now();
    super.onRequestStart(controller, context);
  }

  override onResponseEnd(controller: Controller, trailers: Headers): void {
    this.#notify({ status: this.status, headers: redactedHeaders(this.headers, this.call), body: this.#body() });
    super.onResponseEnd(controller, trailers);
  }

  override onResponseError(controller: Controller, error: Error): void {
    this.#notify({ error });
    super.onResponseError(controller, error);
  }

  #notify(outcome: Partial<ReceivedResponse>): void {
    const ms = Math.round(this.now() - this.#startedAt);
    callHook(this.hooks.response?.bind(this.hooks), { ...this.request, ms, ...outcome });
  }

  #body(): unknown {
    try {
      const text = this.bodyText();
      if (text !== undefined) return JSON.parse(text);
    } catch {
      // Redacting a secret that is part of a number results in invalid JSON. The hook then receives only the size of
      // the body.
    }
    return `${this.size} bytes`;
  }
}

function sentBody({ body, operation }: Call): unknown {
  if (body === undefined || !operation.body) return undefined;
  if (body instanceof Uint8Array) return `${body.length} bytes`;
  return redact(operation.body, body);
}

/** The headers by name, without headers that could contain credentials. */
const redactedHeaders = (headers: Headers | Record<string, string>, { hide }: Call): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || /^(authorization|cookie|set-cookie)$/i.test(name)
        ? []
        : [[name.toLowerCase(), hide([value].flat().join(", "))]],
    ),
  );

function callHook<T>(hook: ((value: T) => unknown) | undefined, value: T): void {
  const warn = (error: unknown) => process.emitWarning(`a CloudInfra hook failed: ${String(error)}`);
  try {
    Promise.resolve(hook?.(value)).catch(warn);
  } catch (error) {
    warn(error);
  }
}
