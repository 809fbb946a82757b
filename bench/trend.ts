/** A percentile: the value that the given fraction of the values does not exceed. 0.5 returns the median. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** The slope of the line that fits the points best (least squares). */
export function slope(points: readonly { x: number; y: number }[]): number {
  const mean = (of: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  const spread = mean((point) => (point.x - x) ** 2);
  return spread === 0 ? 0 : mean((point) => (point.x - x) * (point.y - y)) / spread;
}

/**
 * The smallest values in the first third and in the last third. They do not change if other programs use the machine
 * for a short time.
 */
export function smallestInThirds(values: readonly number[]): [first: number, last: number] {
  const size = Math.max(1, Math.floor(values.length / 3));
  return [Math.min(...values.slice(0, size)), Math.min(...values.slice(-size))];
}

/** The result of a check of a long run: a text with the measured value and its limit, and whether the check passed. */
export interface TrendResult {
  text: string;
  holds: boolean;
}

/** Prints the results of the checks. The program exits with an error if one of them failed. */
export function report(results: readonly TrendResult[]): void {
  for (const { text, holds } of results) console.log(`${holds ? "ok  " : "FAIL"} ${text}`);
  if (!results.every(({ holds }) => holds)) process.exitCode = 1;
}
