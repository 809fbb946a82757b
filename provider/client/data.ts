import type { Readable, Writable } from "node:stream";
import { z } from "zod";
import { hide, type Operation } from "../../api";
import { dispatcherFor } from "./dispatcher";
import { endingOf } from "./ending";
import { abortable } from "./interceptors/abortable";
import type { CallOptions, Dispatch, Handler } from "./interceptors/call";
import { DispatchFailure, failureOf } from "./interceptors/dispatch";
import type { Controller, Headers } from "./interceptors/forwarding-handler";
import { hooked } from "./interceptors/hooks";
import { logged } from "./interceptors/log";
import { userAgent } from "./interceptors/user-agent";
import { oneLine } from "./printable";
import type { Settings } from "./settings";

/**
 * A data transfer to or from an address outside the API, such as a URL that an operation returned. It never contains
 * the token.
 */
interface DataRequest {
  /** Name for hooks and the log, such as `PUT of object photos/a.png`. */
  what: string;
  method: "GET" | "PUT" | "DELETE";
  url: URL;
  /** Whether the whole URL is secret. Of any other URL, only the query is hidden. */
  secret?: boolean;
  headers?: Record<string, string>;
  body?: Readable | undefined;
  /** Receives the bytes of a 200 response. */
  into?: Writable;
  /** Maximum number of bytes of a response that `into` accepts. */
  most?: number;
  /** When to stop trying, in milliseconds by this machine's clock. */
  deadline?: number;
}

interface DataResponse {
  status: number;
  headers: Headers;
  /** The beginning of a body that is not stored: as much as an error message needs. */
  text: string;
}

/** Sends a data request once. Rejects with a `DispatchFailure` if there is no complete response. */
export type SendData = (request: DataRequest) => Promise<DataResponse>;

/** Reads only as much of a response as an error message needs. */
const REASON_BYTES = 64 * 1024;

/** The operation that hooks and the log see, in which they look up secret fields: data has none. */
const operation: Operation = { summary: "", method: "GET", path: "/", scopes: [], result: z.unknown(), source: "" };

/** The transport for data: the same connections, hooks and log as those of calls, without the token. */
export class DataTransport {
  readonly #settings: Settings;
  readonly #connections = new Map<string, { dispatch: Dispatch; close: () => Promise<void> }>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  readonly send: SendData = async (request) => {
    const { deadline = Number.POSITIVE_INFINITY, url, body } = request;
    const { signal, clear } = endingOf(deadline, undefined, this.#settings.time);
    const secrets = request.secret ? [url.href, `${url.pathname}${url.search}`] : [url.search];
    const hidden = (text: string): string => hide(text, secrets);
    const options: CallOptions = {
      origin: url.origin,
      method: request.method,
      path: `${url.pathname}${url.search}`,
      headers: { ...request.headers },
      body: body ?? null,
      // An address for data is used once.
      reset: true,
      call: {
        name: request.what,
        about: "",
        operation,
        deadline,
        signal,
        body: undefined,
        instance: undefined,
        streams: true,
        hide: hidden,
        sanitize: (text) => hidden(oneLine(hidden(text))),
      },
    };
    try {
      return await new Promise((resolve, reject) => {
        this.#dispatch(url)(options, new Receiver(request, resolve, reject));
      });
    } finally {
      clear();
    }
  };

  #dispatch(url: URL): Dispatch {
    const known = this.#connections.get(url.origin);
    if (known) return known.dispatch;
    const { hooks, log, time } = this.#settings;
    const dispatcher = dispatcherFor(url);
    const composed = dispatcher.compose(
      hooked(hooks, url.origin, time.now),
      userAgent(this.#settings.userAgent),
      abortable(),
      logged(log, time.now),
    );
    const dispatch: Dispatch = (options, handler) => composed.dispatch(options, handler);
    this.#connections.set(url.origin, { dispatch, close: () => dispatcher.close() });
    return dispatch;
  }

  close = async (): Promise<void> => {
    await Promise.all([...this.#connections.values()].map(({ close }) => close()));
  };
}

/** Passes the bytes on as fast as they are consumed. */
class Receiver implements Handler {
  readonly #beginning: Buffer[] = [];
  #size = 0;
  #sent = false;
  #status = 0;
  #headers: Headers = {};

  constructor(
    readonly request: DataRequest,
    readonly resolve: (response: DataResponse) => void,
    readonly reject: (failure: DispatchFailure) => void,
  ) {}

  onRequestStart(controller: Controller): void {
    this.#sent = true;
    this.request.into?.once("error", (error) => controller.abort(error));
  }

  onResponseStart(_controller: Controller, status: number, headers: Headers): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#size += chunk.length;
    const { into, most = Number.POSITIVE_INFINITY } = this.request;
    if (!into || this.#status !== 200) {
      this.#beginning.push(chunk);
      if (this.#size > REASON_BYTES) this.#end(controller);
    } else if (this.#size > most) {
      controller.abort(new DispatchFailure("contract", true, `has more than ${most} bytes`));
    } else if (!into.write(chunk)) {
      controller.pause();
      into.once("drain", () => controller.resume());
    }
  }

  /** The rest is ignored. */
  #end(controller: Controller): void {
    this.onResponseEnd();
    controller.abort(new DispatchFailure("contract", true, "is longer than any valid error"));
  }

  onResponseEnd(): void {
    const response = { status: this.#status, headers: this.#headers, text: Buffer.concat(this.#beginning).toString() };
    const { into } = this.request;
    if (into) into.end(() => this.resolve(response));
    else this.resolve(response);
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.request.into?.destroy();
    this.reject(failureOf(error, this.#sent));
  }
}
