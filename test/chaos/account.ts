import { copyFileSync, existsSync } from "node:fs";
import { Readable } from "node:stream";
import { Dispatcher } from "undici";
import { dataPlanes } from "../../emulator/areas";
import { serveData } from "../../emulator/http/data-plane";
import type { Outgoing } from "../../emulator/http/messages";
import { committed } from "../../emulator/http/server";
import { openService, type Service } from "../../emulator/service";
import { busyTime } from "../../testing/virtual-time";

/** A request of a provider. */
export interface Sent {
  method: string;
  path: string;
}

/** Called around each request; whoever it kills does not receive the response. */
export interface Passing {
  before(request: Sent, service: Service): Promise<void> | void;
  after(request: Sent, service: Service): Promise<void> | void;
}

type Options = Dispatcher.DispatchOptions & { headers?: Record<string, string> };
type Handler = Dispatcher.DispatchHandler;

/** The service in this process, without sockets. It can be killed and opened again from its data file. */
export class Account {
  #service: Service;
  #opening: Promise<unknown> = Promise.resolve();
  #data: string | undefined;
  #opened = 0;
  readonly time: ReturnType<typeof busyTime>;
  passing: Passing | undefined;

  private constructor(service: Service, data: string | undefined) {
    this.#service = service;
    this.#data = data;
    const account = this;
    this.time = busyTime({
      get world() {
        return account.world;
      },
      advance: (ms) => account.#service.advance(ms),
    });
  }

  /** `data` is the path of a file; without one, the service cannot be killed. */
  static async open(data?: string): Promise<Account> {
    return new Account(await openService({ pace: "stepped", ...(data && { data }) }), data);
  }

  get service(): Service {
    return this.#service;
  }

  get world(): Service["world"] {
    return this.#service.world;
  }

  /** Opens the service again from what its file contains now, as after `kill -9`: nothing else is written. */
  async kill(): Promise<void> {
    if (!this.#data) throw new Error("an account without a file cannot be killed");
    const copy = `${this.#data.replace(/\.\d+$/, "")}.${++this.#opened}`;
    for (const end of ["", "-wal"])
      if (existsSync(`${this.#data}${end}`)) copyFileSync(`${this.#data}${end}`, `${copy}${end}`);
    const killed = this.#service;
    this.#data = copy;
    const opening = openService({ pace: "stepped", data: copy }).then((service) => {
      this.#service = service;
    });
    this.#opening = opening;
    killed.close();
    await opening;
  }

  close(): void {
    this.#service.close();
  }

  /** Connections of a provider that never receives a response once it is dead. */
  dispatcherFor = (isDead: () => boolean) => (): Dispatcher => new Connections(this, isDead);

  /** Undefined if the caller has died. */
  async respond(options: Options, isDead: () => boolean): Promise<Outgoing | undefined> {
    const path = options.path.replace(/\?.*/, "");
    const request = { method: options.method, path };
    await this.#opening;
    const first = this.#service;
    await this.passing?.before(request, first);
    if (isDead()) return undefined;
    if (first !== this.#service) return lost;
    const out = await this.#handle(first, options);
    if (first !== this.#service) return lost;
    await this.passing?.after(request, first);
    if (isDead()) return undefined;
    return first === this.#service ? out : lost;
  }

  #handle(service: Service, { method, path: url, headers = {}, body }: Options): Promise<Outgoing> {
    // Support has enabled every instance for further addresses.
    const [, machine] = /\/instances\/(\d+)\/ips$/.exec(url) ?? [];
    if (method === "POST" && service.world.instances.find(Number(machine)))
      service.world.instances.patch(Number(machine), { extra_addresses: true });
    const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const incoming = { method, url, headers: { host: HOST, ...Object.fromEntries(named) } };
    const plane = dataPlanes.find(({ prefix }) => url.startsWith(prefix));
    const bytes = typeof body === "string" ? Buffer.from(body) : ((body as Buffer | null) ?? undefined);
    return committed(service, method, () =>
      plane
        ? serveData(service.world, service.router, plane, { ...incoming, body: streamOf(body) })
        : service.router.handle({ ...incoming, body: bytes, address: "127.0.0.1" }),
    );
  }
}

export const HOST = "127.0.0.1:1";
const lost: Outgoing = { status: 0, headers: {}, body: "", cut: "after" };

const streamOf = (body: unknown): Readable =>
  body instanceof Readable ? body : Readable.from(body ? [Buffer.from(body as Buffer)] : []);

class Connections extends Dispatcher {
  constructor(
    readonly account: Account,
    readonly isDead: () => boolean,
  ) {
    super();
  }

  override dispatch(options: Options, handler: Handler): boolean {
    void this.#exchange(options, handler);
    return true;
  }

  async #exchange(options: Options, handler: Handler): Promise<void> {
    const { time } = this.account;
    let isOver = false;
    let resume = (): void => {};
    const fail = (error: Error): void => {
      if (isOver) return;
      isOver = true;
      resume();
      handler.onResponseError?.(controller, error);
    };
    const controller = {
      ...{ aborted: false, paused: false, reason: null, pause() {}, resume() {} },
      abort: fail,
    };
    await undefined;
    if (this.isDead()) return;
    handler.onRequestStart?.(controller, {});
    if (isOver) return;
    time.hooks.request?.(undefined as never);
    const out = await this.account.respond(options, this.isDead);
    time.hooks.response?.(undefined as never);
    if (isOver || !out) return;
    const { status, headers, body, cut } = out;
    if (cut === "stall") resume = time.stall();
    else if (cut === "before" || cut === "after") fail(broken());
    else {
      const bytes = Buffer.from(body as string);
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
