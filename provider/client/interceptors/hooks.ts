import { redact } from "../../../api";
import type { Hooks, ReceivedResponse, SentRequest } from "../options";
import { type Call, type Handler, type Interceptor, interceptor } from "./call";
import type { Controller, Headers } from "./forwarding-handler";
import { RecordingHandler } from "./recording-handler";

/**
 * Calls the user's hooks for every attempt. Each retry counts as an attempt, and the hooks do not receive the token.
 */
export const hooked = (hooks: Hooks, origin: string, now: () => number): Interceptor => {
  const attempts = new WeakMap<Call, number>();
  return interceptor((dispatch) => (options, handler) => {
    if (!hooks.request && !hooks.response) return dispatch(options, handler);
    const { call, method, path, headers } = options;
    const attempt = (attempts.get(call) ?? 0) + 1;
    attempts.set(call, attempt);
    const about = { operation: call.name, method, url: call.hide(`${origin}${path}`), attempt };
    const body = sentBody(call);
    tell(hooks.request?.bind(hooks), {
      ...about,
      headers: plain(headers, call),
      ...(body !== undefined && { body }),
    } satisfies SentRequest);
    return dispatch(options, new Watched(handler, call, about, hooks, now));
  });
};

type About = Pick<ReceivedResponse, "operation" | "method" | "url" | "attempt">;

class Watched extends RecordingHandler {
  #began: number;

  constructor(
    handler: Handler,
    call: Call,
    readonly about: About,
    readonly hooks: Hooks,
    readonly now: () => number,
  ) {
    super(handler, call, true);
    this.#began = now();
  }

  override onRequestStart(controller: Controller, context: unknown): void {
    this.#began = this.now();
    super.onRequestStart(controller, context);
  }

  override onResponseEnd(controller: Controller, trailers: Headers): void {
    this.#tell({ status: this.status, headers: plain(this.headers, this.call), body: this.#body() });
    super.onResponseEnd(controller, trailers);
  }

  override onResponseError(controller: Controller, error: Error): void {
    this.#tell({ error });
    super.onResponseError(controller, error);
  }

  #tell(outcome: Partial<ReceivedResponse>): void {
    const ms = Math.round(this.now() - this.#began);
    tell(this.hooks.response?.bind(this.hooks), { ...this.about, ms, ...outcome });
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
const plain = (headers: Headers | Record<string, string>, { hide }: Call): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || /^(authorization|cookie|set-cookie)$/i.test(name)
        ? []
        : [[name.toLowerCase(), hide([value].flat().join(", "))]],
    ),
  );

function tell<T>(hook: ((about: T) => unknown) | undefined, about: T): void {
  const warn = (error: unknown) => process.emitWarning(`a CloudInfra hook failed: ${String(error)}`);
  try {
    Promise.resolve(hook?.(about)).catch(warn);
  } catch (error) {
    warn(error);
  }
}
