export interface Figure {
  name: string;
  ms: number;
  /** What the design allows at most. */
  limit: number;
  /** What it is measured beside, in the same run. */
  besides: string;
  otherMs: number;
  runs: number;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** A table for the terminal; times are medians in milliseconds. */
export function table(figures: readonly Figure[]): string {
  const head = ["figure", "ms", "allowed", "beside it", "ms", "runs"];
  const rows = figures.map(({ name, ms, limit, besides, otherMs, runs }) => [
    name,
    ms.toFixed(0),
    `< ${limit}`,
    besides,
    otherMs.toFixed(0),
    String(runs),
  ]);
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => (row[i] ?? "").length)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
