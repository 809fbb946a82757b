import type { Dispatcher } from "undici";
import type { Operation } from "../../../api";

/** An operation with its name, which consists of area and key, e.g. `volumes.create`. */
export interface Named {
  name: string;
  operation: Operation;
  /** Whether the operation creates an object whose id is only in the response. */
  isCreation?: boolean;
}

/** The call that a request belongs to, for the interceptors. */
export interface Call extends Named {
  /** The objects in its path, such as `domain 12, record 34`; empty if there are none. */
  about: string;
  /** When to stop trying, by this machine's clock. */
  deadline: number;
  /** Aborted with an `Ended` when the caller cancels the call or its deadline passes. */
  signal: AbortSignal;
  /** The body before serialization. */
  body: unknown;
  /** The instance that the call changes. Changes of one instance run one after the other. */
  instance: string | undefined;
  /** The response is data, so hooks and the log show only its size. */
  streams?: boolean;
  /** Redacts the token and the secrets of the call in a text. */
  hide(text: string): string;
  /** A text from the service in the form for messages: on one line, without secrets and control characters. */
  sanitize(text: string): string;
}

/** The call is passed in the options of the dispatch, as are the options of undici's own interceptors. */
export interface CallOptions extends Dispatcher.DispatchOptions {
  call: Call;
  headers: Record<string, string>;
}

export type Dispatch = Dispatcher.Dispatch;
export type Handler = Dispatcher.DispatchHandler;

/** An interceptor: one task around every request, in the form that undici composes. */
export const interceptor =
  (job: (dispatch: Dispatch) => (options: CallOptions, handler: Handler) => boolean): Interceptor =>
  (dispatch) => {
    const run = job(dispatch);
    return (options, handler) => run(options as CallOptions, handler);
  };

export type Interceptor = Dispatcher.DispatcherComposeInterceptor;
