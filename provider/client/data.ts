import type { Readable, Writable } from "node:stream";
import { z } from "zod";
import { hide, type Operation } from "../../api";
import { endingOf } from "./ending";
import { abortable } from "./interceptors/abortable";
import type { CallOptions, Dispatch, Handler } from "./interceptors/call";
import { DispatchFailure, failureOf } from "./interceptors/dispatch";
import type { Controller, Headers } from "./interceptors/forwarding-handler";
import { callHooks } from "./interceptors/hooks";
import { logCalls } from "./interceptors/log";
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
  destination?: Writable;
  /** Maximum number of bytes that may be passed to `destination`. A larger response fails. */
  maxBytes?: number;
  /** Time at which to stop trying, in milliseconds by this machine's clock. */
  deadline?: number;
}

interface DataResponse {
  status: number;
  headers: Headers;
  /** The beginning of a body that is not passed to `destination`, for error messages. */
  text: string;
}

/**
 * Sends one request of a data transfer, without retries. Rejects with a `DispatchFailure` if there is no complete
 * response.
 */
export type SendData = (request: DataRequest) => Promise<DataResponse>;

/** Maximum number of bytes to read of a response that is only used in an error message. */
const MAX_ERROR_BYTES = 64 * 1024;

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
    const redacted = (text: string): string => hide(text, secrets);
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
        objects: "",
        operation,
        deadline,
        signal,
        waitSignal: signal,
        body: undefined,
        instance: undefined,
        streams: true,
        hide: redacted,
        sanitize: (text) => redacted(oneLine(redacted(text))),
      },
    };
    try {
      return await new Promise((resolve, reject) => {
        this.#dispatch(url)(options, new DataHandler(request, resolve, reject));
      });
    } finally {
      clear();
    }
  };

  #dispatch(url: URL): Dispatch {
    const connection = this.#connections.get(url.origin);
    if (connection) return connection.dispatch;
    const { hooks, log, time, dispatcherFor } = this.#settings;
    const dispatcher = dispatcherFor(url);
    const composed = dispatcher.compose(
      callHooks(hooks, url.origin, time.now),
      userAgent(this.#settings.userAgent),
      abortable(),
      logCalls(log, time.now),
    );
    const dispatch: Dispatch = (options, handler) => composed.dispatch(options, handler);
    this.#connections.set(url.origin, { dispatch, close: () => dispatcher.close() });
    return dispatch;
  }

  close = async (): Promise<void> => {
    await Promise.all([...this.#connections.values()].map(({ close }) => close()));
  };
}

const writeFailure = (error: Error): DispatchFailure =>
  new DispatchFailure("storage", true, `cannot be saved: ${error.message}`, error);

/** Writes the received bytes to a stream, as fast as the stream consumes them. */
class DataHandler implements Handler {
  readonly #chunks: Buffer[] = [];
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
    this.request.destination?.once("error", (error) => controller.abort(writeFailure(error)));
  }

  onResponseStart(_controller: Controller, status: number, headers: Headers): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#size += chunk.length;
    const { destination, maxBytes = Number.POSITIVE_INFINITY } = this.request;
    if (!destination || this.#status !== 200) {
      this.#chunks.push(chunk);
      if (this.#size > MAX_ERROR_BYTES) this.#end(controller);
    } else if (this.#size > maxBytes) {
      controller.abort(new DispatchFailure("contract", true, `has more than ${maxBytes} bytes`));
    } else if (!destination.write(chunk)) {
      controller.pause();
      destination.once("drain", () => controller.resume());
    }
  }

  /** Ends the response early and ignores all further bytes. */
  #end(controller: Controller): void {
    this.onResponseEnd();
    controller.abort(new DispatchFailure("contract", true, "is larger than any error that the API returns"));
  }

  onResponseEnd(): void {
    const response = { status: this.#status, headers: this.#headers, text: Buffer.concat(this.#chunks).toString() };
    const { destination } = this.request;
    const finish = (error?: Error | null) => (error ? this.reject(writeFailure(error)) : this.resolve(response));
    // The last bytes are written after the response has ended, so only the stream's end shows that all are written.
    if (destination) destination.end(finish);
    else finish();
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.request.destination?.destroy();
    this.reject(failureOf(error, this.#sent));
  }
}
