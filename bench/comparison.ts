import { columns, type Figure } from "./figures";

/** A figure that is this many times worse than before, relative to its baseline, is a regression. */
export const TOLERANCE = 1.5;

export interface Comparison {
  name: string;
  before: number;
  now: number;
  unit: Figure["unit"];
  /** How many times worse the figure is, relative to its baseline; below 1, it is better. */
  worse: number;
}

/**
 * Compares figures with those of an earlier run. Each is divided by its baseline, because the machines of two runs can
 * differ in speed. Figures that only one of the runs has are omitted.
 */
export function comparisons(now: readonly Figure[], before: readonly Figure[]): Comparison[] {
  const earlier = new Map(before.map((figure) => [figure.name, figure]));
  return now.flatMap((figure) => {
    const last = earlier.get(figure.name);
    if (last?.unit !== figure.unit) return [];
    const change = relative(figure) / relative(last);
    const worse = figure.unit === "/s" ? 1 / change : change;
    return [{ name: figure.name, before: last.value, now: figure.value, unit: figure.unit, worse }];
  });
}

const relative = ({ value, other }: Figure): number => value / (other || 1);

export const isRegression = ({ worse }: Comparison): boolean => worse > TOLERANCE;

export function comparisonTable(compared: readonly Comparison[]): string {
  const rows = compared.map((comparison) => [
    comparison.name,
    `${comparison.before.toFixed(1)} ${comparison.unit}`,
    `${comparison.now.toFixed(1)} ${comparison.unit}`,
    `× ${comparison.worse.toFixed(2)}`,
    isRegression(comparison) ? "worse" : "",
  ]);
  return columns([["figure", "last run", "this run", "relative to its baseline", ""], ...rows]);
}
