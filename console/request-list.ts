import type { ConsoleState, RequestSummary } from "../emulator/console/feed";

/** The log of an emulator from its start or from the last time that it was cleared. In another one, numbers start again. */
export type Log = Pick<ConsoleState, "run" | "clears">;

export const isSameLog = (one: Log | undefined, other: Log | undefined): boolean =>
  one?.run === other?.run && one?.clears === other?.clears;

/** Maximum number of requests in the list. The emulator keeps more of them. */
const MAX_REQUESTS = 1000;

/** A list of requests with those that were received, the newest first. A received one replaces the one with its number. */
export function merged(list: readonly RequestSummary[], received: Iterable<RequestSummary>): readonly RequestSummary[] {
  const byNumber = new Map([...list, ...received].map((one) => [one.n, one]));
  return [...byNumber.values()].sort((a, b) => b.n - a.n).slice(0, MAX_REQUESTS);
}

/** The list of a new connection to the same log. Requests that were in progress before can have ended in the meantime. */
export const continued = (
  list: readonly RequestSummary[],
  recent: readonly RequestSummary[],
): readonly RequestSummary[] =>
  merged(
    list.filter(({ ms }) => ms !== null),
    recent,
  );
