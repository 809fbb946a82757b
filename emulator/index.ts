import { operations } from "../api";
import { fill } from "./accounts";
import { actions, areas, dataPlanes, tables, tasks, type World } from "./areas";
import { openAccount } from "./areas/account/billing";
import { END_OF_TIME, type Pace, paces } from "./core/clock";
import type { Faults } from "./core/faults";
import { load, put, type Snapshot, snapshot, upgraded } from "./core/snapshot";
import { validateSnapshot } from "./core/snapshot-validation";
import { addToken, digest } from "./core/users";
import { createWorld } from "./core/world";
import { DataFile, DataFileError } from "./data";
import { type AccountName, accountNames, type Controlled } from "./http/control/action";
import type { RequestLog } from "./http/request-log";
import { Router } from "./http/router";
import { serve } from "./http/server";

export type { FaultSpec } from "./core/faults";
export type { Snapshot } from "./core/snapshot";
export type { Logged } from "./http/request-log";
export { type AccountName, accountNames, type Pace, paces, type World };

/** How an emulator is to be; everything has a default. */
export interface EmulatorOptions {
  /** Port to listen on; 0, the default, picks a free one. */
  port?: number;
  /** Address to listen on; Defaults to `127.0.0.1`, so that only this machine reaches it. */
  host?: string;
  /**
   * How time passes: jobs take a thirtieth of the real service's time at `fast` (the default), all of it at `real`, and
   * none at `instant`, where each request moves the clock by a second. These follow the machine's clock. At `stepped` the
   * clock starts at 2022-01-01 and stands still until `advance` is called.
   */
  pace?: Pace;
  /**
   * What all generated values derive from: the same seed and requests give the same answers. At `instant` a seed that is
   * set fixes the dates too: they start at 2022-01-01.
   */
  seed?: number;
  /** Milliseconds that each answer is held back. */
  latency?: number;
  /** Gives what the API does not order in another order on each read. */
  shuffle?: boolean;
  /** A token that may do everything. */
  token?: string;
  /** Milliseconds that a request may take to come in. Defaults to 30,000. */
  requestTimeout?: number;
  /** Whether too many requests are refused; `false` by default, `true` for the command. */
  rateLimits?: boolean;
  /** File that keeps the account; it is made where there is none. Without one all is gone when the emulator ends. */
  data?: string;
  /** What the account is at first, as `GET /_emulator/state` gives it. */
  load?: Snapshot;
  /** What is in a new account: nothing (`empty`, the default), a handful of everything (`small`) or 10,000 objects (`large`). */
  account?: AccountName;
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
  /** Makes the account new again, with what is said in it; faults and the log of requests are emptied. */
  reset(account?: AccountName): Promise<void>;
  close(): Promise<void>;
}

/** Starts an emulator of the whole service in this process. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { port = 0, host = "127.0.0.1", pace = "fast", latency = 0 } = options;
  const { shuffle = false, token = "emulator", rateLimits = false, requestTimeout = 30_000 } = options;
  const file = options.data === undefined ? undefined : new DataFile(options.data);
  const seed = file?.kept?.state.seed ?? options.seed ?? 1;
  const world = createWorld({ seed, seeded: options.seed !== undefined, pace, changed: file?.changed }, tables, tasks);
  openAccount(world);
  addToken(world, token);
  const fresh = snapshot(world);
  const router = new Router(world, operations, areas, { shuffle, rateLimits });
  const { faults, log: requests, limits } = router;
  await begin(world, fresh, file, options);
  const commit: Controlled["commit"] = (options) => file?.commit(options);
  const advance = (ms: number): void => {
    if (!(ms >= 0 && world.clock.now() + ms <= END_OF_TIME))
      throw new RangeError(`advance(${ms}): must be milliseconds from 0 that do not lead past the year 9999`);
    world.clock.advance(ms);
    world.schedule.runDue();
    commit();
  };
  const settle = (): void => {
    world.schedule.settle();
    commit();
  };
  const reset = async (account: AccountName = "empty"): Promise<void> => {
    world.clock.reset();
    load(world, { ...fresh, clock: world.clock.now() }, fresh);
    faults.clear();
    requests.clear();
    limits.clear();
    if (account !== "empty") await fill(world, account);
    commit();
  };
  const undone = (): number => file?.undone ?? 0;
  const controlled = { world, faults, requests, advance, settle, reset, fresh, commit, undone };
  const server = await serve(
    router,
    controlled,
    { dataPlanes, actions },
    { port, host, latency, requestTimeout },
  ).catch((error) => {
    file?.discard();
    throw error;
  });
  const close = async (): Promise<void> => {
    await server.close();
    file?.close();
  };
  return {
    url: `${server.origin}/v4`,
    token,
    world,
    faults,
    requests,
    advance,
    settle,
    reset,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** What the account is at the start: the file's, else what is to be loaded, else a new one. */
async function begin(
  world: World,
  fresh: Snapshot,
  file: DataFile | undefined,
  options: EmulatorOptions,
): Promise<void> {
  const { load: state, account = "empty", token } = options;
  const kept = file?.kept;
  if (state !== undefined && account !== "empty")
    throw new Error("`load` and `account` both say what the account is at first; leave one out");
  if (kept && (state !== undefined || account !== "empty"))
    throw new DataFileError(file.path, "it holds an account already; name a new file for another one");
  if (kept) {
    const state = upgraded(world, kept.state);
    try {
      validateSnapshot(world, state, fresh);
    } catch (error) {
      const [first, ...more] = (error as Error).message.split("; ");
      throw new DataFileError(
        file.path,
        `its account is not whole: ${first}${more.length ? ` (and ${more.length} more problems)` : ""}`,
      );
    }
    put(world, state, fresh);
    world.clock.resume(kept.clock);
  } else if (state !== undefined) load(world, state, fresh);
  else if (account !== "empty") await fill(world, account);
  file?.follow(world, (state) => put(world, state, fresh));
  if (!world.tokens.find(digest(token ?? "emulator"))) addToken(world, token ?? "emulator");
  file?.commit();
}
