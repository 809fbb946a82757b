import { actions, dataPlanes, type World } from "./areas";
import { consoleRoutes } from "./console";
import { type Pace, paces } from "./core/clock";
import type { Faults } from "./core/faults";
import { type AccountName, accountNames } from "./http/control/action";
import type { RequestLog } from "./http/request-log";
import { serve } from "./http/server";
import { openService, type Service, type ServiceOptions } from "./service";

export type { FaultSpec } from "./core/faults";
export type { Snapshot } from "./core/snapshot";
export type { Logged } from "./http/messages";
export { type AccountName, accountNames, type Pace, paces, type World };

/** Options of an emulator. All are optional. */
export interface EmulatorOptions extends ServiceOptions {
  /** Port to listen on; 0, the default, picks a free one. */
  port?: number;
  /** Address to listen on. Defaults to `127.0.0.1`, which only this machine can reach. */
  host?: string;
  /** Milliseconds by which every response is delayed. Defaults to 0. */
  latency?: number;
  /** Time limit in milliseconds for receiving a request. Defaults to 30,000. */
  requestTimeout?: number;
  /**
   * Called with a line for each request: time, method, path with query, status and duration. Lines contain no tokens
   * and no bodies.
   */
  log?: (line: string) => void;
}

/** A running emulator. `await using emulator = await startEmulator()` closes it at the end of the block. */
export interface Emulator extends AsyncDisposable {
  /** Base URL of the API, for `cloudinfra:url`. */
  readonly url: string;
  /** Address of the console, a web page that shows and controls the account. */
  readonly console: string;
  readonly token: string;
  /** The service's state, for tests that inspect more than the API returns. */
  readonly world: World;
  /** The faults to inject: `emulator.faults.add({ path: "volumes.create", kind: "cut-after" })`. */
  readonly faults: Faults;
  /** The requests received so far. */
  readonly requests: RequestLog;
  /** Advances the clock by this many milliseconds and runs the tasks that are due. */
  advance(ms: number): void;
  /** Advances the clock until every job, such as the boot of an instance, has ended. */
  settle(): void;
  /** Resets the account, optionally with other contents, and clears the faults and the request log. */
  reset(account?: AccountName): Promise<void>;
  close(): Promise<void>;
}

/** Starts an emulator of the whole service in this process. */
export const startEmulator = async (options: EmulatorOptions = {}): Promise<Emulator> =>
  listen(await openService(options), options);

/** @internal Starts a server for an open account. */
export async function listen(
  service: Service,
  options: Omit<EmulatorOptions, keyof ServiceOptions>,
): Promise<Emulator> {
  const { port = 0, host = "127.0.0.1", latency = 0, requestTimeout = 30_000, log } = options;
  const { router, world, token, faults, requests, advance, settle, reset } = service;
  const parts = { dataPlanes, actions, addConsole: consoleRoutes(service, router) };
  const server = await serve(router, service, parts, { port, host, latency, requestTimeout, log }).catch((error) => {
    service.discard();
    throw error;
  });
  const close = async (): Promise<void> => {
    await server.close();
    service.close();
  };
  const account = { world, faults, requests, advance, settle, reset };
  return {
    url: `${server.origin}/v4`,
    console: `${server.origin}/_emulator/`,
    token,
    ...account,
    close,
    [Symbol.asyncDispose]: close,
  };
}
