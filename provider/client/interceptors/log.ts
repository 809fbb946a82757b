import { redact } from "../../../api";
import type { Log } from "../options";
import { printableJson } from "../printable";
import { type Call, type Handler, type Interceptor, interceptor } from "./call";
import type { Controller, Headers } from "./forwarding-handler";
import { RecordingHandler } from "./recording-handler";

/** Logs one line per call, such as `volumes.create 200 41 ms`. The time includes waits and retries. */
export const logCalls = (log: Log, now: () => number): Interceptor =>
  interceptor((dispatch) => (options, handler) => {
    if (!log.info && !log.debug) return dispatch(options, handler);
    const { name, operation, body } = options.call;
    if (body !== undefined && operation.body) {
      log.debug?.(`${name} > ${JSON.stringify(redact(operation.body, body))}`);
    }
    return dispatch(options, new LogHandler(handler, options.call, log, now));
  });

class LogHandler extends RecordingHandler {
  readonly #startedAt: number;

  constructor(
    handler: Handler,
    call: Call,
    readonly log: Log,
    readonly now: () => number,
  ) {
    super(handler, call, log.debug !== undefined);
    this.#startedAt = now();
  }

  override onResponseEnd(controller: Controller, trailers: Headers): void {
    this.#logResult(String(this.status));
    this.log.debug?.(`${this.call.name} < ${this.#body()}`);
    super.onResponseEnd(controller, trailers);
  }

  override onResponseError(controller: Controller, error: Error): void {
    this.#logResult(`failed (${error.message})`);
    super.onResponseError(controller, error);
  }

  #logResult(outcome: string): void {
    this.log.info?.(`${this.call.name} ${outcome} ${Math.round(this.now() - this.#startedAt)} ms`);
  }

  #body(): string {
    const text = this.bodyText();
    return text === undefined ? `${this.size} bytes that are not JSON` : printableJson(text);
  }
}
