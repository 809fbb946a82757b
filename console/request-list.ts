import type { ConsoleState } from "../emulator/console/feed";

/** The log of an emulator from its start or from the last time that it was cleared. In another one, numbers start again. */
export type Log = Pick<ConsoleState, "run" | "clears">;

export const isSameLog = (one: Log | undefined, other: Log | undefined): boolean =>
  one?.run === other?.run && one?.clears === other?.clears;
