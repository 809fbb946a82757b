import type { Dispatcher } from "undici";
import type { Operation, Translation } from "../../../api";
import type { SettingNames } from "../environment";

/** An operation with its name, such as `volumes.create`. */
export interface NamedOperation {
  name: string;
  operation: Operation;
  /** Whether the operation creates an object whose id only the response contains. */
  isCreation?: boolean;
}

/**
 * Data about an API call, such as its deadline, for the interceptors. A call can take several HTTP requests, because
 * each retry sends another one.
 */
export interface Call extends NamedOperation {
  /** The objects in the call's path, such as `domain 12, record 34`. Empty if there are none. */
  objects: string;
  /** Time at which to stop trying, in milliseconds by this machine's clock. */
  deadline: number;
  /** Aborted with a `CallEnded` when the caller cancels the call or its deadline passes. */
  signal: AbortSignal;
  /** Aborted with `signal`, and also if the caller cancels the call only while no request is in progress. */
  waitSignal: AbortSignal;
  /** The request body before serialization. */
  body: unknown;
  /** Id of the compute instance that the call changes. Changes to the same instance are sent one after the other. */
  instance: string | undefined;
  /** The conversion of names, if the service has other names than the contract. */
  names?: Translation | undefined;
  /** The settings that contain the address and the token, for messages. */
  settingNames?: SettingNames | undefined;
  /** Whether an attempt may have been carried out although it failed. Set by the retries. */
  mayBeDone?: boolean;
  /** Whether the response is data instead of JSON. Hooks and the log then receive only its size. */
  streams?: boolean;
  /** Redacts the token and the secrets of the call in a text. */
  hide(text: string): string;
  /** Prepares a text from the service for messages: on one line, without secrets and control characters. */
  sanitize(text: string): string;
}

/** Adds the call to undici's dispatch options, so that interceptors can read it there. */
export interface CallOptions extends Dispatcher.DispatchOptions {
  call: Call;
  headers: Record<string, string>;
}

export type Dispatch = Dispatcher.Dispatch;
export type Handler = Dispatcher.DispatchHandler;

/** Creates an interceptor for undici that can read the call's data, such as its deadline, from the dispatch options. */
export const interceptor =
  (create: (dispatch: Dispatch) => (options: CallOptions, handler: Handler) => boolean): Interceptor =>
  (dispatch) => {
    const run = create(dispatch);
    return (options, handler) => run(options as CallOptions, handler);
  };

export type Interceptor = Dispatcher.DispatcherComposeInterceptor;
