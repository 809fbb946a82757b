import type { Readable, Writable } from "node:stream";
import { z } from "zod";
import { hide, type Operation } from "../../api";
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
 * A transfer of data to or from a URL outside the API, such as a URL that an operation returned. The request never
 * contains the token.
 */
interface DataRequest {
  /** Name of the transfer for hooks and the log, such as `PUT of object photos/a.png`. */
  what: string;
  method: "GET" | "PUT" | "DELETE";
  url: URL;
  /** Whether the whole URL is redacted. By default, only the query is. */
  secret?: boolean;
  headers?: Record<string, string>;
  body?: Readable | undefined;
  /** Receives the bytes of a response with status 200. */
  into?: Writable;
  /** Maximum number of bytes that may be passed to `into`. A larger response fails. */
  most?: number;
  /** Time at which to stop trying, in milliseconds by this machine's clock. */
  deadline?: number;
}

interface DataResponse {
  status: number;
  headers: Headers;
  /** The beginning of a body that is not passed to `into`, for error messages. */
  text: string;
}

/**
 * Sends one request of a data transfer, without retries. Rejects with a `DispatchFailure` if there is no complete
 * response.
 */
export type SendData = (request: DataRequest) => Promise<DataResponse>;

/** Maximum number of bytes to read of a response that is only used in an error message. */
const REASON_BYTES = 64 * 1024;

/**
 * A placeholder: hooks and the log require an API operation for each request, and a data transfer has none. It has no
 * secret fields to redact.
 */
const operation: Operation = { summary: "", method: "GET", path: "/", scopes: [], result: z.unknown(), source: "" };

/** Transfers data to and from URLs outside the API, with the same hooks and log as API calls but without the token. */
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
      // The URL of a transfer, such as an upload URL, is used only once, so the connection is closed afterwards.
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
    const { hooks, log, time, dispatcherFor } = this.#settings;
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

const unwritten = (error: Error): DispatchFailure =>
  new DispatchFailure("storage", true, `cannot be saved: ${error.message}`, error);

/** Writes the received bytes to a stream, as fast as the stream consumes them. */
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
    this.request.into?.once("error", (error) => controller.abort(unwritten(error)));
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

  /** Ends the response early and ignores all further bytes. */
  #end(controller: Controller): void {
    this.onResponseEnd();
    controller.abort(new DispatchFailure("contract", true, "is larger than any error that the API returns"));
  }

  onResponseEnd(): void {
    const response = { status: this.#status, headers: this.#headers, text: Buffer.concat(this.#beginning).toString() };
    const { into } = this.request;
    const done = (error?: Error | null) => (error ? this.reject(unwritten(error)) : this.resolve(response));
    // The last bytes are written after the response has ended, so only the stream's end shows that all are written.
    if (into) into.end(done);
    else done();
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.request.into?.destroy();
    this.reject(failureOf(error, this.#sent));
  }
}
