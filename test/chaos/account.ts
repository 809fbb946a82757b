import { copyFileSync, existsSync } from "node:fs";
import type { Outgoing } from "../../emulator/http/messages";
import { openService, type Service } from "../../emulator/service";
import { DirectConnections, handleDirectly, type Options } from "../../testing/direct-connections";
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
  dispatcherFor = (isDead: () => boolean) => (): DirectConnections =>
    new DirectConnections((options) => this.#respond(options, isDead), this.time.stall);

  /** Undefined if the caller is dead. */
  async #respond(options: Options, isDead: () => boolean): Promise<Outgoing | undefined> {
    if (isDead()) return undefined;
    const { began, ended } = this.time.traffic;
    began();
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

/** Support has enabled every instance for further addresses. */
function enableAddresses({ world }: Service, { method, path }: Sent): void {
  const [, machine] = /\/instances\/(\d+)\/ips$/.exec(path) ?? [];
  if (method === "POST" && world.instances.find(Number(machine)))
    world.instances.patch(Number(machine), { extra_addresses: true });
}
