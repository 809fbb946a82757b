import type { DialectName } from "../api";
import { fill } from "./accounts";
import { tasks, type World } from "./areas";
import { openAccount } from "./areas/account/billing";
import { END_OF_TIME, type Pace } from "./core/clock";
import { load, replaceState, type Snapshot, snapshot, upgraded, validateSnapshot } from "./core/snapshot";
import { addToken, digest } from "./core/users";
import { createWorld } from "./core/world";
import { DataFile, DataFileError } from "./data";
import { offerOf } from "./dialects";
import type { AccountName, Controlled } from "./http/control/action";
import { Router } from "./http/router";

export const DEFAULT_TOKEN = "emulator";

/** Options of the service. All are optional. */
export interface ServiceOptions {
  /**
   * How fast time passes. `fast` (the default): jobs run 30 times faster than on the real service. `real`: jobs take as
   * long as on the real service. `instant`: jobs finish immediately, and each request advances the clock by a second.
   * `stepped`: the clock starts at 2022-01-01 and moves only with `advance`. With the other paces, it follows the
   * machine's clock.
   */
  pace?: Pace;
  /**
   * Seed of all generated values: the same seed and requests produce the same responses. At `instant` a seed also fixes
   * the clock, which then starts at 2022-01-01.
   */
  seed?: number;
  /** Whether to shuffle lists whose order the API does not define. Defaults to `false`. */
  shuffle?: boolean;
  /**
   * The public service whose names paths, bodies, filters, events, scopes and errors have, and whose behaviour the
   * emulator shows where it differs from the API documentation. If omitted, the names are those of the documentation.
   */
  dialect?: DialectName | undefined;
  /**
   * With a dialect: whether to reject the fields of requests that came after the release of the documentation. Defaults
   * to `false`: those that are settings, such as the labels of a node pool, are kept and returned, others have no
   * effect.
   */
  strict?: boolean;
  /** A token with all scopes. */
  token?: string;
  /** Whether to enforce rate limits. Defaults to `false`; the command `cloudinfra emulator` enables them. */
  rateLimits?: boolean;
  /**
   * Path of a file that stores the account. It is created if it does not exist. If omitted, state is lost when the
   * emulator stops.
   */
  data?: string;
  /** Initial state, as returned by `GET /_emulator/state`. */
  load?: Snapshot;
  /**
   * Contents of a new account: none (`empty`, the default), a few objects of every kind (`small`), or 10,000 objects
   * (`large`).
   */
  account?: AccountName;
}

/** The service without an HTTP server, with all functions that control it. */
export interface Service extends Controlled {
  readonly router: Router;
  readonly token: string;
  readonly dialect: DialectName | undefined;
  close(): void;
  /** Deletes the data file if opening the service has created it. */
  discard(): void;
}

/** Opens an account: the one in the data file if there is one, otherwise a new one. */
export async function openService(
  options: ServiceOptions,
  file = options.data === undefined ? undefined : new DataFile(options.data),
): Promise<Service> {
  const {
    pace = "fast",
    shuffle = false,
    token = DEFAULT_TOKEN,
    rateLimits = false,
    dialect,
    strict = false,
  } = options;
  const { operations, areas, tables, vocabulary } = offerOf(dialect, strict);
  const seed = file?.stored?.state.seed ?? options.seed ?? 1;
  const world = createWorld({ seed, seeded: options.seed !== undefined, pace, changed: file?.changed }, tables, tasks);
  openAccount(world, { isSeeded: options.seed !== undefined });
  addToken(world, token);
  const fresh = snapshot(world);
  const router = new Router(world, operations, areas, { shuffle, rateLimits, vocabulary });
  const { faults, log: requests, limits } = router;
  await begin(world, fresh, file, { ...options, token });
  const commit: Controlled["commit"] = (options) => file?.commit(options);
  const advance = (ms: number): void => {
    if (!(ms >= 0 && world.clock.now() + ms <= END_OF_TIME))
      throw new RangeError(
        `advance(${ms}): must be a number of milliseconds, at least 0, that keeps the clock before the year 10000`,
      );
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
    router.forgetLate();
    if (account !== "empty") await fill(world, account);
    admit(world, token);
    commit();
  };
  const restore = (sent: unknown): void => {
    load(world, sent, fresh);
    admit(world, token);
    limits.clear();
    router.forgetLate();
    commit();
  };
  const undone = (): number => file?.undone ?? 0;
  const closing = { close: () => file?.close(), discard: () => file?.discard() };
  const controls = { faults, requests, advance, settle, reset, restore, commit, undone };
  return { world, router, token, dialect, ...controls, ...closing };
}

/** Initializes the account from the data file, else from the snapshot to load, else as a new one. */
async function begin(
  world: World,
  fresh: Snapshot,
  file: DataFile | undefined,
  options: ServiceOptions & { token: string },
): Promise<void> {
  const { load: state, account = "empty", token } = options;
  const stored = file?.stored;
  if (state !== undefined && account !== "empty")
    throw new Error("`load` and `account` cannot be combined: both define the initial account");
  if (stored && (state !== undefined || account !== "empty"))
    throw new DataFileError(file.path, "it already contains an account; use a new file");
  if (stored) {
    const state = upgraded(world, stored.state);
    try {
      validateSnapshot(world, state, fresh);
    } catch (error) {
      const [first, ...more] = (error as Error).message.split("; ");
      throw new DataFileError(
        file.path,
        `its account is inconsistent: ${first}${more.length ? ` (and ${more.length} more problems)` : ""}`,
      );
    }
    replaceState(world, state, fresh);
    world.clock.resume(stored.clock);
  } else if (state !== undefined) load(world, state, fresh);
  else if (account !== "empty") await fill(world, account);
  file?.follow(world, (state) => replaceState(world, state, fresh));
  admit(world, token);
  file?.commit();
}

/** Adds the emulator's own token to an account without it, such as that of a snapshot. */
function admit(world: World, token: string): void {
  if (!world.tokens.find(digest(token))) addToken(world, token);
}
