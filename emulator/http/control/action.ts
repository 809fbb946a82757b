import { z } from "zod";
import type { Faults } from "../../core/faults";
import { parseControlBody } from "../../core/parse-control-body";
import type { Snapshot } from "../../core/snapshot";
import type { World } from "../../core/world";
import type { RequestLog } from "../request-log";

export type AccountName = (typeof accountNames)[number];
/** What a new account can hold: nothing, a handful of everything, or 10,000 objects. */
export const accountNames = ["empty", "small", "large"] as const;

/** What `/_emulator/…` needs to know of the emulator that it controls. */
export interface Controlled {
  world: World;
  /** What is to go wrong. */
  faults: Faults;
  /** The requests so far. */
  requests: RequestLog;
  /** Moves time on and does what is due by then. */
  advance(ms: number): void;
  /** Moves time on until no job is left. */
  settle(): void;
  /** Makes the account new again; faults and the log of requests are emptied. */
  reset(account?: AccountName): Promise<void>;
  fresh: Snapshot;
  /** Keeps what has changed, where there is a file for it; undoes and refuses what cannot be kept, unless it is only a read. */
  commit(options?: { isRead?: boolean }): void;
  /** How many times changes were undone: a request that sees it grow has lost its own. */
  undone(): number;
}

/** One request to `/_emulator/…`. */
export interface Action {
  /** The fields of its body, from which docs/emulator.md lists them. */
  body: z.core.$ZodType;
  run(emulator: Controlled, sent: unknown): unknown;
}

/** Paths under `/_emulator`, by method. */
export type Actions = Readonly<Record<string, Readonly<Record<string, Action>>>>;

/** An action with a body; what does not fit is refused before anything is done. */
export const action = <B extends z.core.$ZodType>(
  body: B,
  run: (emulator: Controlled, body: z.output<B>) => unknown,
): Action => ({ body, run: (emulator, sent) => run(emulator, parseControlBody(body, sent)) });

const Nothing = z.strictObject({});

/** An action without a body. */
export const plain = (run: (emulator: Controlled) => unknown): Action => action(Nothing, run);
