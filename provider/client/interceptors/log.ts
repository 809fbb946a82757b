import { redact, responseSchema } from "../../../api";
import { parsed } from "../json";
import type { Log } from "../options";
import { printableJson } from "../printable";
import { type Call, type Handler, type Interceptor, interceptor } from "./call";
import { type Controller, ForwardingHandler, type Headers, joined } from "./forwarding-handler";

/** One line a call: `volumes.create 200 41 ms`. It sits outside of everything: the time holds waits and repetitions. */
export const logged = (log: Log, now: () => number): Interceptor =>
  interceptor((dispatch) => (options, handler) => {
    if (!log.info && !log.debug) return dispatch(options, handler);
    const { name, operation, body } = options.call;
    if (body !== undefined && operation.body) {
      log.debug?.(`${name} > ${JSON.stringify(redact(operation.body, body))}`);
    }
    return dispatch(options, new Logged(handler, options.call, log, now));
  });

class Logged extends ForwardingHandler {
  readonly #began: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #status = 0;

  constructor(
    handler: Handler,
    readonly call: Call,
    readonly log: Log,
    readonly now: () => number,
  ) {
    super(handler);
    this.#began = now();
  }

  override onResponseStart(controller: Controller, status: number, headers: Headers, message?: string): void {
    this.#status = status;
    super.onResponseStart(controller, status, headers, message);
  }

  override onResponseData(controller: Controller, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.log.debug && !this.call.streams) this.#chunks.push(chunk);
    super.onResponseData(controller, chunk);
  }

  override onResponseEnd(controller: Controller, trailers: Headers): void {
    this.#line(String(this.#status));
    this.log.debug?.(`${this.call.name} < ${this.#bodyText()}`);
    super.onResponseEnd(controller, trailers);
  }

  override onResponseError(controller: Controller, error: Error): void {
    this.#line(`failed (${error.message})`);
    super.onResponseError(controller, error);
  }

  #line(outcome: string): void {
    this.log.info?.(`${this.call.name} ${outcome} ${Math.round(this.now() - this.#began)} ms`);
  }

  /** What is no JSON is not shown: nothing tells which part of it is secret. A refusal may repeat what was sent. */
  #bodyText(): string {
    const { operation, hide } = this.call;
    const { value, problem } = parsed(joined(this.#chunks));
    if (problem !== undefined) return `${this.#size} bytes that are not JSON`;
    return printableJson(hide(JSON.stringify(redact(responseSchema(operation, this.#status), value))));
  }
}
