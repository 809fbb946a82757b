import { z } from "zod";
import type { Faults } from "../../core/faults";
import { parseControlBody } from "../../core/parse-control-body";
import type { World } from "../../core/world";
import type { RequestLog } from "../request-log";

export type AccountName = (typeof accountNames)[number];
/** The contents of a new account: none, a few objects of every kind, or 10,000 objects. */
export const accountNames = ["empty", "small", "large"] as const;

/** The parts of the emulator that requests to `/_emulator/…` read and change. */
export interface Controlled {
  world: World;
  faults: Faults;
  requests: RequestLog;
  /** Advances the clock and runs the tasks that are due. */
  advance(ms: number): void;
  /** Advances the clock until every job, such as the boot of an instance, has ended. */
  settle(): void;
  /** Resets the account, and clears the faults and the request log. */
  reset(account?: AccountName): Promise<void>;
  /**
   * Replaces the account by a snapshot and the emulator's own token, and clears the rate limits. If the snapshot is
   * invalid, nothing changes.
   */
  restore(sent: unknown): void;
  /**
   * Writes changes to the data file, if there is one. Changes that cannot be written are undone, and the request fails
   * unless it is a read.
   */
  commit(options?: { isRead?: boolean }): void;
  /**
   * How many times changes were undone because they could not be written. Each time, all changes since the last write
   * are lost, so a request whose changes were among them must fail.
   */
  undone(): number;
}

/** An endpoint below `/_emulator/`, such as `POST /_emulator/clock`. */
export interface Action {
  /** The schema of the request body, from which docs/emulator-control.md is generated. */
  body: z.core.$ZodType;
  run(emulator: Controlled, sent: unknown): unknown;
}

/** The endpoints below `/_emulator/` by path and method, such as `{ clock: { GET, POST } }`. */
export type Actions = Readonly<Record<string, Readonly<Record<string, Action>>>>;

/** Defines an endpoint with a request body, which is validated before `run` is called. */
export const action = <B extends z.core.$ZodType>(
  body: B,
  run: (emulator: Controlled, body: z.output<B>) => unknown,
): Action => ({ body, run: (emulator, sent) => run(emulator, parseControlBody(body, sent)) });

const Nothing = z.strictObject({});

export const actionWithoutBody = (run: (emulator: Controlled) => unknown): Action => action(Nothing, run);
