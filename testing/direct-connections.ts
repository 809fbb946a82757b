import { Readable } from "node:stream";
import { Dispatcher } from "undici";
import { dataPlanes } from "../emulator/areas";
import { serveData } from "../emulator/http/data-plane";
import type { Outgoing } from "../emulator/http/messages";
import { committed } from "../emulator/http/server";
import type { Service } from "../emulator/service";

export type Options = Dispatcher.DispatchOptions;
type Handler = Dispatcher.DispatchHandler;

/**
 * Passes a request of the HTTP library undici directly to the emulator in this process, as if it had been sent to the
 * server at `host`.
 */
export function handleDirectly(
  service: Service,
  host: string,
  { method, path: url, headers, body }: Options,
): Promise<Outgoing> {
  const sent = Object.entries((headers ?? {}) as Record<string, string>);
  const named = Object.fromEntries(sent.map(([name, value]) => [name.toLowerCase(), value]));
  const incoming = { method, url, headers: { host, ...named } };
  const plane = dataPlanes.find(({ prefix }) => url.startsWith(prefix));
  return committed(service, method, () =>
    plane
      ? serveData(service.world, service.router, plane, { ...incoming, body: streamOf(body) })
      : service.router.handle({ ...incoming, body: bytesOf(body), address: "127.0.0.1" }),
  );
}

const bytesOf = (body: Options["body"]): Uint8Array | undefined =>
  typeof body === "string" ? Buffer.from(body) : ((body as Uint8Array | null) ?? undefined);

const streamOf = (body: Options["body"]): Readable =>
  body instanceof Readable ? body : Readable.from(body ? [Buffer.from(body as Uint8Array)] : []);

/**
 * An undici dispatcher for an emulator in this process. Requests take half of the time, because no HTTP connection is
 * involved.
 */
export class DirectConnections extends Dispatcher {
  readonly #respond: (options: Options) => Promise<Outgoing | undefined>;
  readonly #stall: () => () => void;

  /**
   * `respond` returns undefined if the request must never receive a response. `stall` is called for a response that
   * stalls; the function that it returns is called when the request is aborted.
   */
  constructor(respond: (options: Options) => Promise<Outgoing | undefined>, stall: () => () => void) {
    super();
    this.#respond = respond;
    this.#stall = stall;
  }

  override dispatch(options: Options, handler: Handler): boolean {
    void this.#exchange(options, handler);
    return true;
  }

  async #exchange(options: Options, handler: Handler): Promise<void> {
    let isOver = false;
    let resume = (): void => {};
    const fail = (error: Error): void => {
      if (isOver) return;
      isOver = true;
      resume();
      handler.onResponseError?.(controller, error);
    };
    const controller = { aborted: false, paused: false, reason: null, pause() {}, resume() {}, abort: fail };
    await undefined;
    handler.onRequestStart?.(controller, {});
    if (isOver) return;
    const out = await this.#respond(options);
    if (isOver || !out) return;
    const { status, headers, body, cut } = out;
    if (cut === "stall") resume = this.#stall();
    else if (cut === "before" || cut === "after") fail(broken());
    else {
      const bytes = Buffer.from(body);
      handler.onResponseStart?.(controller, status, { "content-type": "application/json", ...headers }, "");
      if (isOver) return;
      handler.onResponseData?.(controller, cut ? bytes.subarray(0, bytes.length / 2) : bytes);
      if (cut) return fail(broken());
      if (isOver) return;
      isOver = true;
      handler.onResponseEnd?.(controller, {});
    }
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }

  override destroy(): Promise<void> {
    return Promise.resolve();
  }
}

const broken = (): Error => Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" });
