export interface Figure {
  name: string;
  value: number;
  unit: "ms" | "/s" | "KB" | "MB" | "×" | "requests";
  max?: number;
  min?: number;
  /** Lower limit of `value` as a fraction of `other`, the value of the baseline: 0.5 requires at least half of it. */
  minShare?: number;
  /**
   * Name of the baseline that the figure is compared with, such as `node that does nothing`. The baseline's value
   * `other` is measured in the same run.
   */
  baseline: string;
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

/** Measures something and a baseline alternately, so that changes in the machine's load affect both. */
export async function inTurns<T>(
  runs: number,
  own: () => Promise<T>,
  baseline: () => Promise<number>,
): Promise<{ values: T[] } & Pick<Figure, "other" | "runs">> {
  const [values, others]: [T[], number[]] = [[], []];
  for (let run = 0; run < runs; run++) {
    values.push(await own());
    others.push(await baseline());
  }
  return { values, other: median(others), runs };
}

export const holds = ({ value, max = Number.POSITIVE_INFINITY, min = 0, minShare = 0, other }: Figure): boolean =>
  value <= max && value >= min && !(value < minShare * other);

function allowed({ max, min, minShare, other }: Figure): string {
  if (max !== undefined) return `≤ ${rounded(max)}`;
  if (minShare) return `≥ ${minShare} × ${rounded(other)}`;
  return min ? `≥ ${min}` : "";
}

export function table(figures: readonly Figure[]): string {
  const head = ["figure", "is", "allowed", "baseline", "is", "runs"];
  const rows = figures.map((figure) => [
    figure.name,
    `${rounded(figure.value)} ${figure.unit}`,
    allowed(figure),
    figure.baseline,
    `${rounded(figure.other)} ${figure.unit}`,
    String(figure.runs),
  ]);
  return columns([head, ...rows]);
}

/** Formats rows of cells. Each column is as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const rounded = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
