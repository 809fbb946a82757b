import type { Dispatcher } from "undici";
import { endingOf } from "./ending";
import { CancelledError, ContractError, LostResponseError, UnreachableError } from "./errors";
import { abortable } from "./interceptors/abortable";
import { auth } from "./interceptors/auth";
import type { CallOptions, Dispatch, NamedOperation } from "./interceptors/call";
import { clock, ServerClock } from "./interceptors/clock";
import { DispatchFailure, responseFrom } from "./interceptors/dispatch";
import { callHooks } from "./interceptors/hooks";
import { logCalls } from "./interceptors/log";
import { queue } from "./interceptors/queue";
import { rateLimit } from "./interceptors/rate-limit";
import { retry } from "./interceptors/retry";
import { scopes, TokenScopes } from "./interceptors/scopes";
import { size } from "./interceptors/size";
import { timeout } from "./interceptors/timeout";
import { userAgent } from "./interceptors/user-agent";
import { type Input, type Options, requestOf } from "./request";
import { resultOf } from "./response";
import type { Settings } from "./settings";

/** Sends one call, with retries, and returns its result. */
export type Send = (operation: NamedOperation, input: Input, options: Options) => Promise<unknown>;

/** Timeout in milliseconds of a call without a deadline. */
const DEFAULT_TIMEOUT_MS = 600_000;

/**
 * A connection pool that passes each request through the interceptors. They are listed from the one closest to the
 * network to the one closest to the caller.
 */
export class Transport {
  readonly #pool: Dispatcher;
  readonly #dispatch: Dispatch;
  readonly #settings: Settings;
  readonly clock = new ServerClock();
  readonly scopes: TokenScopes;

  constructor(settings: Settings) {
    const { url, token, names, time, log, hooks } = settings;
    this.#settings = settings;
    this.scopes = new TokenScopes(names?.text);
    this.#pool = settings.dispatcherFor(url);
    const composed = this.#pool.compose(
      size(),
      timeout(settings.retry.attemptMs, time),
      clock(this.clock, time.now),
      scopes(this.scopes),
      auth(token),
      callHooks(hooks, url.origin, time.now),
      userAgent(settings.userAgent),
      rateLimit(settings.rateLimit, time, this.clock),
      abortable(),
      retry(settings.retry, time, log),
      queue(),
      logCalls(log, time.now),
    );
    this.#dispatch = (request, handler) => composed.dispatch(request, handler);
  }

  readonly send: Send = async (operation, input, options) => {
    const { time } = this.#settings;
    const { deadline = time.now() + DEFAULT_TIMEOUT_MS } = options;
    const ending = endingOf(deadline, options.signal, time);
    const { signal } = ending;
    const isChange = operation.operation.method !== "GET";
    const wait =
      isChange && options.signalUntilSent
        ? endingOf(Number.POSITIVE_INFINITY, options.signalUntilSent, time)
        : undefined;
    const waitSignal = wait ? AbortSignal.any([signal, wait.signal]) : signal;
    try {
      const request = requestOf(operation, input, { ...options, deadline, signal, waitSignal }, this.#settings);
      const response = await responseFrom(this.#dispatch, request).catch((error) => {
        throw error instanceof DispatchFailure ? this.#errorOf(request, error) : error;
      });
      return resultOf(request.call, response);
    } finally {
      ending.clear();
      wait?.clear();
    }
  };

  #errorOf({ call, method }: CallOptions, failure: DispatchFailure): Error {
    const { kind, sent, message, cause } = failure;
    if (cause instanceof ContractError) return cause;
    const problem = kind === "caller" ? "cancelled" : kind === "deadline" ? `timed out ${message}` : message;
    if ((sent || call.mayBeDone) && method !== "GET")
      return new LostResponseError(call.name, problem, cause, kind === "deadline");
    if (kind === "caller" || kind === "deadline") return new CancelledError(call.name, kind, cause, message);
    const { url, settingNames } = this.#settings;
    return new UnreachableError(call.name, url.href, message, cause, settingNames.url);
  }

  /** Waits for the calls in progress. Later calls fail. */
  close = (): Promise<void> => this.#pool.close();
}
