import type { RequestSummary } from "../emulator/console/feed";

/** Number of bars in the plot of the request rate, each for a second. */
export const SECONDS = 60;

export interface Rate {
  /** The number of requests in each of the last seconds, and of those that failed. */
  bars: readonly { all: number; failed: number }[];
  sum: number;
  /** The largest number of requests in a second. */
  peak: number;
  /** Whether there were more requests in this time than the list has. */
  isPartial: boolean;
}

/** The rate of the listed requests, the newest first, at a time in milliseconds since 1970. */
export function rateOf(requests: readonly Pick<RequestSummary, "n" | "at" | "status">[], now: number): Rate {
  const second = Math.floor(Math.max(now, requests[0]?.at ?? 0) / 1000);
  const bars = Array.from({ length: SECONDS }, () => ({ all: 0, failed: 0 }));
  const barAt = (at: number) => bars[SECONDS - 1 - (second - Math.floor(at / 1000))];
  for (const { at, status } of requests) {
    const bar = barAt(at);
    if (!bar) continue;
    bar.all++;
    if (status !== null && status >= 400) bar.failed++;
  }
  const sum = bars.reduce((total, { all }) => total + all, 0);
  const [newest] = requests;
  const older = requests.find(({ at }) => !barAt(at));
  return {
    bars,
    sum,
    peak: Math.max(...bars.map(({ all }) => all)),
    // Numbers have no gaps, and start with 1. A hidden page misses the requests between those it had and the latest ones.
    isPartial: newest !== undefined && newest.n - (older?.n ?? 0) > sum,
  };
}
