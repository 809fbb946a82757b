import { contentTypeOf, type Operation } from "../../../api";
import { contractError } from "../response";
import { type Call, type Handler, type Interceptor, interceptor } from "./call";
import { DispatchFailure } from "./dispatch";
import { type Controller, ForwardingHandler, type Headers, header } from "./forwarding-handler";

const MIB = 1024 * 1024;

/**
 * Maximum size of a response in bytes: much larger than any regular response, but small enough for one response per
 * connection to fit into memory.
 */
const limitOf = ({ result }: Operation): number => (contentTypeOf(result) ? 16 : 4) * MIB;

/** Aborts responses that are too large for their operation, and closes the connection. */
export const size = (): Interceptor =>
  interceptor((dispatch) => (options, handler) => dispatch(options, new SizeHandler(handler, options.call)));

class SizeHandler extends ForwardingHandler {
  readonly #limit: number;
  #status = 0;
  #headers: Headers = {};
  #length = 0;

  constructor(
    handler: Handler,
    readonly call: Call,
  ) {
    super(handler);
    this.#limit = limitOf(call.operation);
  }

  override onResponseStart(controller: Controller, status: number, headers: Headers, message?: string): void {
    this.#status = status;
    this.#headers = headers;
    if (Number(header(headers, "content-length")) > this.#limit) this.#end(controller);
    else super.onResponseStart(controller, status, headers, message);
  }

  override onResponseData(controller: Controller, chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length > this.#limit) this.#end(controller);
    else super.onResponseData(controller, chunk);
  }

  #end(controller: Controller): void {
    const what = `is larger than ${this.#limit / MIB} MiB`;
    const error = contractError(this.call, { status: this.#status, headers: this.#headers }, what);
    controller.abort(new DispatchFailure("contract", true, error.message, error));
  }
}
