import type { Dispatcher } from "undici";
import type { Operation } from "../../../api";

/** An operation with its name: area and key, e.g. `volumes.create`. */
export interface Named {
  name: string;
  operation: Operation;
  /** A success makes an object that only its response names. */
  isCreation?: boolean;
}

/** The call of a request, for the interceptors. */
export interface Call extends Named {
  /** The objects in its path, such as `domain 12, record 34`; empty if there are none. */
  about: string;
  /** When to stop trying, by this machine's clock. */
  deadline: number;
  /** Aborted with an `Ended` when the caller gives the call up or its deadline passes. */
  signal: AbortSignal;
  /** The body before serialization. */
  body: unknown;
  /** The instance that the call changes: such calls run one after the other. */
  instance: string | undefined;
  /** Its response is data, of which hooks and the log show the size only. */
  streams?: boolean;
  /** Blanks the token and what is secret in the call out of a text. */
  hide(text: string): string;
  /** A text of the service as messages have it: on one line, without secrets and what a terminal would not show. */
  sanitize(text: string): string;
}

/** The call travels in the options of the dispatch, as the options of undici's own interceptors do. */
export interface CallOptions extends Dispatcher.DispatchOptions {
  call: Call;
  headers: Record<string, string>;
}

export type Dispatch = Dispatcher.Dispatch;
export type Handler = Dispatcher.DispatchHandler;

/** One job around every request: the form that undici composes. */
export const interceptor =
  (job: (dispatch: Dispatch) => (options: CallOptions, handler: Handler) => boolean): Interceptor =>
  (dispatch) => {
    const run = job(dispatch);
    return (options, handler) => run(options as CallOptions, handler);
  };

export type Interceptor = Dispatcher.DispatcherComposeInterceptor;
