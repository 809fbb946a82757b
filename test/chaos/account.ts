import { copyFileSync, existsSync } from "node:fs";
import type { Outgoing } from "../../emulator/http/messages";
import { openService, type Service } from "../../emulator/service";
import { DirectConnections, handleDirectly, type Options } from "../../testing/direct-connections";
import { busyTime } from "../../testing/virtual-time";

export interface Sent {
  method: string;
  path: string;
}

/**
 * Callbacks before and after each request. A callback can kill the process that sent the request, which then does not
 * receive the response.
 */
export interface Passing {
  before(request: Sent, service: Service): Promise<void> | void;
  after(request: Sent, service: Service): Promise<void> | void;
}

/**
 * An emulator in this process, which is called without sockets. It can be killed, and is then opened again from its
 * data file.
 */
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

  /** Opens an emulator with the given data file. Without a file, it cannot be killed. */
  static async open(data?: string): Promise<Account> {
    return new Account(await openService({ pace: "stepped", ...(data && { data }) }), data);
  }

  get service(): Service {
    return this.#service;
  }

  get world(): Service["world"] {
    return this.#service.world;
  }

  /**
   * Replaces the emulator by an emulator that reads the current contents of the data file. As after `kill -9`, the old
   * emulator writes nothing more.
   */
  async kill(): Promise<void> {
    if (!this.#data) throw new Error("an account without a file cannot be killed");
    const copy = `${this.#data.replace(/\.\d+$/, "")}.${++this.#opened}`;
    for (const end of ["", "-wal", "-commits"])
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

  /**
   * Connects a provider process to the emulator. The process receives no more responses once `isDead` returns true.
   * `stall` is called for a response that stalls, and returns a function that ends the wait for it.
   */
  dispatcherFor = (isDead: () => boolean, stall: () => () => void) => (): DirectConnections =>
    new DirectConnections((options) => this.#respond(options, isDead), stall);

  async #respond(options: Options, isDead: () => boolean): Promise<Outgoing | undefined> {
    if (isDead()) return undefined;
    const { started, ended } = this.time.traffic;
    started();
    const out = await this.#pass(options, isDead);
    ended();
    return isDead() ? undefined : out;
  }

  async #pass(options: Options, isDead: () => boolean): Promise<Outgoing> {
    const request = { method: options.method, path: options.path.replace(/\?.*/, "") };
    await this.#opening;
    const service = this.#service;
    const isKilled = (): boolean => service !== this.#service;
    await this.passing?.before(request, service);
    if (isDead() || isKilled()) return lost;
    enableAddresses(service, request);
    const out = await handleDirectly(service, HOST, options);
    if (isKilled()) return lost;
    await this.passing?.after(request, service);
    return isKilled() ? lost : out;
  }
}

export const HOST = "127.0.0.1:1";
const lost: Outgoing = { status: 0, headers: {}, body: "", cut: "after" };

/**
 * Before a request that adds an address to an instance, allows the instance additional addresses. On the real service,
 * only customer support can do that.
 */
function enableAddresses({ world }: Service, { method, path }: Sent): void {
  const [, machine] = /\/instances\/(\d+)\/ips$/.exec(path) ?? [];
  if (method === "POST" && world.instances.find(Number(machine)))
    world.instances.patch(Number(machine), { extra_addresses: true });
}
