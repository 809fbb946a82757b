import { Pool } from "undici";
import { resultOf } from "./answer";
import { CancelledError, LostAnswerError, UnreachableError } from "./errors";
import { auth } from "./interceptors/auth";
import type { CallOptions, Dispatch } from "./interceptors/call";
import { clock, ServerClock } from "./interceptors/clock";
import { exchange, type Failure } from "./interceptors/exchange";
import { hooked } from "./interceptors/hooks";
import { logged } from "./interceptors/log";
import { queue } from "./interceptors/queue";
import { rateLimit } from "./interceptors/rate-limit";
import { retry } from "./interceptors/retry";
import { timeout } from "./interceptors/timeout";
import { userAgent } from "./interceptors/user-agent";
import { type Input, type Named, type Options, requestOf } from "./request";
import type { Settings } from "./settings";

/** Sends one call and answers its result. */
export type Send = (operation: Named, input: Input, options: Options) => Promise<unknown>;

/** More would only wait at the service's rate limit. */
const CONNECTIONS = 16;

/** One connection pool with everything that is done around a request, the innermost first. */
export class Transport {
  readonly #pool: Pool;
  readonly #dispatch: Dispatch;
  readonly #settings: Settings;
  readonly clock = new ServerClock();

  constructor(settings: Settings) {
    const { url, token, time, log, hooks } = settings;
    this.#settings = settings;
    // Over one shared connection, as HTTP/2 would have it, one cut would cost every call under way its answer.
    this.#pool = new Pool(url.origin, { connections: CONNECTIONS, allowH2: false });
    const composed = this.#pool.compose(
      timeout(settings.retry.attemptMs, time.now),
      clock(this.clock, time.now),
      auth(token),
      hooked(hooks, url.origin, time.now),
      userAgent(settings.userAgent),
      rateLimit(settings.rateLimit, time, this.clock),
      retry(settings.retry, time, log),
      queue(),
      logged(log, time.now),
    );
    this.#dispatch = (request, handler) => composed.dispatch(request, handler);
  }

  readonly send: Send = async (operation, input, options) => {
    const { url, token, time } = this.#settings;
    const request = requestOf(operation, input, options, { base: url.pathname, token, now: time.now() });
    const answer = await exchange(this.#dispatch, request).catch((failure: Failure) => {
      throw this.#errorOf(request, failure);
    });
    return resultOf(request.call, answer);
  };

  #errorOf({ call, method }: CallOptions, failure: Failure): Error {
    const { kind, sent, message, cause } = failure;
    if (sent && method !== "GET") return new LostAnswerError(call.name, message, cause);
    if (kind === "aborted") return new CancelledError(call.name, "caller", cause);
    if (kind === "deadline") return new CancelledError(call.name, "deadline", cause);
    return new UnreachableError(call.name, this.#settings.url.href, message, cause);
  }

  /** Lets the calls under way finish. */
  close = (): Promise<void> => this.#pool.close();
}
