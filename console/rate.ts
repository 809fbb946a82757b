import type { RequestSummary } from "../emulator/console/feed";

/** Number of bars in the plot of the request rate, each for a second. */
export const SECONDS = 60;

export interface Rate {
  /** The number of requests in each of the last seconds, and of those that failed. */
  bars: readonly { all: number; failed: number }[];
  sum: number;
  /** The largest number of requests in a second. */
  peak: number;
  /** Whether there were more requests in this time than the list has, whose length is limited. */
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
  const oldest = requests.at(-1);
  return {
    bars,
    sum: bars.reduce((total, { all }) => total + all, 0),
    peak: Math.max(...bars.map(({ all }) => all)),
    // The first request after the log was cleared has the number 1.
    isPartial: oldest !== undefined && oldest.n > 1 && barAt(oldest.at) !== undefined,
  };
}
