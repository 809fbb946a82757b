import type { Emulator } from "../index";
import type { Snapshot } from "../state";

/** What `/_emulator/…` needs to know of the emulator that it controls. */
export interface Controlled extends Pick<Emulator, "world" | "faults" | "requests" | "advance" | "settle" | "reset"> {
  fresh: Snapshot;
  /** Keeps what has changed, where there is a file for it. */
  commit(): void;
}

export type Action = (emulator: Controlled, body: unknown) => unknown;

/** Paths under `/_emulator`, by method. */
export type Actions = Readonly<Record<string, Readonly<Record<string, Action>>>>;
