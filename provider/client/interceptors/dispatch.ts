import type { CallOptions, Dispatch, Handler } from "./call";
import { type Controller, concatenated, type Headers } from "./forwarding-handler";

export interface RawResponse {
  status: number;
  headers: Headers;
  body: Buffer;
}

/** A request without a complete response. Contains the reason, and whether the request may have reached the service. */
export class DispatchFailure extends Error {
  override readonly name = "DispatchFailure";

  constructor(
    /**
     * `caller`: the caller cancelled the call. `deadline`: the time limit of the whole call passed. `timeout`: that of
     * this attempt passed. `contract`: the response cannot be from the service. `storage`: the received data could not be
     * written.
     */
    readonly kind: "caller" | "deadline" | "timeout" | "connection" | "contract" | "storage",
    readonly sent: boolean,
    message: string,
    override readonly cause?: unknown,
  ) {
    super(message);
  }
}

/** Sends one request and returns the complete response. Rejects with a `DispatchFailure` if there is none. */
export const responseFrom = (dispatch: Dispatch, options: CallOptions): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    dispatch(options, new ResponseHandler(resolve, reject));
  });

class ResponseHandler implements Handler {
  readonly #chunks: Buffer[] = [];
  #status = 0;
  #headers: Headers = {};
  #sent = false;

  constructor(
    readonly resolve: (response: RawResponse) => void,
    readonly reject: (failure: DispatchFailure) => void,
  ) {}

  onRequestStart(): void {
    this.#sent = true;
  }

  onResponseStart(_controller: Controller, status: number, headers: Headers): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.resolve({ status: this.#status, headers: this.#headers, body: concatenated(this.#chunks) });
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.reject(failureOf(error, this.#sent));
  }
}

export const failureOf = (error: Error, sent: boolean): DispatchFailure =>
  error instanceof DispatchFailure ? error : new DispatchFailure("connection", sent, messageOf(error), error);

/**
 * The message of an undici error. Adds the system's error code, such as `ECONNREFUSED`, if the message lacks it, as it
 * does after undici has tried several addresses.
 */
function messageOf(error: Error & { code?: unknown }): string {
  const { message, code } = error;
  const isInformative = typeof code === "string" && !code.startsWith("UND_") && !message.includes(code);
  return isInformative ? `${message} ${code}`.trim() : message;
}
