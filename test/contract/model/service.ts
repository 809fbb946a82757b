import { operations } from "../../../api";
import { startEmulator } from "../../../emulator";
import { actions, areas, tables, tasks } from "../../../emulator/areas";
import { openAccount } from "../../../emulator/areas/account/billing";
import { load, type Snapshot, snapshot } from "../../../emulator/core/snapshot";
import { addToken } from "../../../emulator/core/users";
import { createWorld, type World } from "../../../emulator/core/world";
import { control } from "../../../emulator/http/control";
import { Router } from "../../../emulator/http/router";

// biome-ignore lint/suspicious/noExplicitAny: responses of every operation have this type
type TestResponse = Promise<{ status: number; body: any }>;

export interface TestService {
  world: World;
  send(method: string, path: string, body?: object): TestResponse;
  /** Sends a request to the emulator's own endpoints, such as `POST clock`, which are not part of the API. */
  control(method: string, path: string, body?: object): TestResponse;
  /** Closes the emulator and starts another one with the same data file. Has no effect without a file. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

export type Move = (service: TestService, picks: readonly number[]) => ReturnType<TestService["send"]>;

const json = { authorization: "Bearer emulator", "content-type": "application/json" };

/** An emulator that is called without sockets, which takes only a few milliseconds for a sequence of requests. */
export function inProcess(): TestService & { fresh: Snapshot } {
  const world = createWorld({ seed: 1, pace: "stepped" }, tables, tasks);
  openAccount(world, { isSeeded: true });
  addToken(world, "emulator");
  const fresh = snapshot(world);
  const router = new Router(world, operations, areas, { shuffle: false, rateLimits: false });
  const nothing = async () => undefined;
  const controlled = {
    ...{ world, faults: router.faults, requests: router.log },
    advance(ms: number) {
      world.clock.advance(ms);
      world.schedule.runDue();
    },
    settle: () => world.schedule.settle(),
    restore: (sent: unknown) => load(world, sent, fresh),
    ...{ reset: nothing, commit: () => undefined, undone: () => 0 },
  };
  const bytes = (body?: object) => body && Buffer.from(JSON.stringify(body));
  return {
    ...{ world, fresh, reopen: nothing, close: nothing },
    async send(method, path, body) {
      const requested = { method, url: `/v4${path}`, headers: json, body: bytes(body), address: "127.0.0.1" };
      const out = await router.handle(requested);
      return { status: out.status, body: JSON.parse(String(out.body)) };
    },
    async control(method, path, body) {
      const requested = { method, url: `/_emulator/${path}`, headers: json, body: bytes(body) };
      const out = await control(controlled, actions, requested);
      return { status: out.status, body: JSON.parse(String(out.body)) };
    },
  };
}

/** An emulator in this process, with the given account. */
export function started(start: Snapshot): TestService {
  const service = inProcess();
  load(service.world, start, service.fresh);
  return service;
}

/** An emulator that is called over HTTP and stores the account in a file. */
export async function onFile(data: string, start: Snapshot): Promise<TestService> {
  let emulator = await startEmulator({ data, load: start, pace: "stepped" });
  const call = async (method: string, url: string, body?: object): TestResponse => {
    const response = await fetch(url, { method, headers: json, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, body: await response.json() };
  };
  return {
    get world() {
      return emulator.world;
    },
    send: (method, path, body) => call(method, `${emulator.url}${path}`, body),
    control: (method, path, body) => call(method, `${new URL(emulator.url).origin}/_emulator/${path}`, body),
    async reopen() {
      await emulator.close();
      emulator = await startEmulator({ data, pace: "stepped" });
    },
    close: () => emulator.close(),
  };
}
