import { redact, responseSchema } from "../../../api";
import { parseJson } from "../json";
import type { Call, Handler } from "./call";
import { type Controller, concatenated, ForwardingHandler, type Headers } from "./forwarding-handler";

/** Records a response for interceptors that log or report it. */
export abstract class RecordingHandler extends ForwardingHandler {
  readonly #chunks: Buffer[] = [];
  protected size = 0;
  protected status = 0;
  protected headers: Headers = {};

  constructor(
    handler: Handler,
    readonly call: Call,
    /** Whether to record the body of the response. For uploads and downloads, only its size is recorded in any case. */
    readonly keepsBody: boolean,
  ) {
    super(handler);
  }

  override onResponseStart(controller: Controller, status: number, headers: Headers, message?: string): void {
    this.status = status;
    this.headers = headers;
    super.onResponseStart(controller, status, headers, message);
  }

  override onResponseData(controller: Controller, chunk: Buffer): void {
    this.size += chunk.length;
    if (this.keepsBody && !this.call.streams) this.#chunks.push(chunk);
    super.onResponseData(controller, chunk);
  }

  /**
   * The body as JSON without its secrets. Undefined if the body is not JSON: any part of it could be secret, because an
   * error response may quote the request.
   */
  protected bodyText(): string | undefined {
    const { operation, hide } = this.call;
    const { value, problem } = parseJson(concatenated(this.#chunks));
    return problem === undefined
      ? hide(JSON.stringify(redact(responseSchema(operation, this.status), value)))
      : undefined;
  }
}
