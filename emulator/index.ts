import { operations } from "../api";
import { areas, planes, tables, tasks } from "./areas";
import { openAccount } from "./areas/billing";
import { type Pace, paces } from "./clock";
import type { Faults } from "./faults";
import type { RequestLog } from "./log";
import { Router } from "./router";
import { serve } from "./server";
import { load, snapshot } from "./state";
import type { Row, TableSpec } from "./store";
import { addToken } from "./users";
import { createWorld, type World } from "./world";

export type { FaultSpec } from "./faults";
export type { Logged } from "./log";
export type { Snapshot } from "./state";
export { type Pace, paces, type World };

/** How an emulator is to be; everything has a default. */
export interface EmulatorOptions {
  /** Port to listen on; 0, the default, picks a free one. */
  port?: number;
  /** Address to listen on; `127.0.0.1` unless stated, so that only this machine reaches it. */
  host?: string;
  /**
   * How time goes: `fast` (default) takes a thirtieth of the real service's time, `real` all of it, `instant` none, and
   * `stepped` stands still until `advance` is called.
   */
  pace?: Pace;
  /** What all made-up values derive from: the same seed and requests give the same answers. */
  seed?: number;
  /** Milliseconds that each answer is held back. */
  latency?: number;
  /** Gives what the API does not order in another order on each read. */
  shuffle?: boolean;
  /** A token that may do everything. */
  token?: string;
  /** Milliseconds that a request may take to come in; 30,000 unless stated. */
  requestTimeout?: number;
  /** Whether too many requests are refused; `false` by default, `true` for the command. */
  rateLimits?: boolean;
}

/** A running emulator. `await using emulator = await startEmulator()` closes it at the end of the block. */
export interface Emulator extends AsyncDisposable {
  /** Where the API is: what `cloudinfra:url` takes. */
  readonly url: string;
  readonly token: string;
  /** What the service knows, for tests that look behind the API. */
  readonly world: World;
  /** What is to go wrong: `emulator.faults.add({ path: "volumes.create", kind: "cut-after" })`. */
  readonly faults: Faults;
  /** The requests so far. */
  readonly requests: RequestLog;
  /** Moves time on and does what is due by then. */
  advance(ms: number): void;
  /** Moves time on until no job is left. */
  settle(): void;
  /** Makes the account new again; faults and the log of requests are emptied. */
  reset(): void;
  close(): Promise<void>;
}

/** Starts an emulator of the whole service in this process. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { port = 0, host = "127.0.0.1", pace = "fast", seed = 1, latency = 0 } = options;
  const { shuffle = false, token = "emulator", rateLimits = false, requestTimeout = 30_000 } = options;
  const world = createWorld({ seed, pace }, tables as Readonly<Record<string, TableSpec<Row>>>, tasks);
  openAccount(world);
  addToken(world, token);
  const fresh = snapshot(world);
  const router = new Router(world, operations, areas, { shuffle, rateLimits });
  const { faults, log: requests, limits } = router;
  const advance = (ms: number): void => {
    world.clock.advance(ms);
    world.schedule.runDue();
  };
  const reset = (): void => {
    world.clock.reset();
    load(world, { ...fresh, clock: world.clock.now() }, fresh);
    faults.clear();
    requests.clear();
    limits.clear();
  };
  const { origin, close } = await serve(router, { world, faults, requests, advance, reset, fresh }, planes, {
    port,
    host,
    latency,
    requestTimeout,
  });
  return {
    url: `${origin}/v4`,
    token,
    world,
    faults,
    requests,
    advance,
    settle: () => world.schedule.settle(),
    reset,
    close,
    [Symbol.asyncDispose]: close,
  };
}
