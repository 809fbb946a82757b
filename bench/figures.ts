export interface Figure {
  name: string;
  value: number;
  unit: "ms" | "/s" | "KB" | "×";
  /** What the design allows. */
  most?: number;
  least?: number;
  /** What it is measured beside, in the same run; without a value there is no limit either. */
  besides: string;
  other: number;
  runs: number;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

export const holds = ({ value, most = Number.POSITIVE_INFINITY, least = 0 }: Figure): boolean =>
  value <= most && value >= least;

/** A table for the terminal; values are medians, or averages of a load. */
export function table(figures: readonly Figure[]): string {
  const head = ["figure", "is", "allowed", "beside it", "is", "runs"];
  const rows = figures.map(({ name, value, unit, most, least, besides, other, runs }) => [
    name,
    `${rounded(value)} ${unit}`,
    most !== undefined ? `≤ ${rounded(most)}` : least ? `≥ ${least}` : "",
    besides,
    `${rounded(other)} ${unit}`,
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

const rounded = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
