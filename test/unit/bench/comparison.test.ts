import { expect, test } from "vitest";
import { comparisons, comparisonTable, isRegression } from "../../../bench/comparison";
import type { Figure } from "../../../bench/figures";

const figure = (name: string, value: number, unit: Figure["unit"], other: number): Figure => ({
  name,
  value,
  unit,
  baseline: "node that does nothing",
  other,
  runs: 7,
});

test("figures are compared relative to their baselines, so that a slower machine is not a regression", () => {
  const before = [figure("start", 100, "ms", 20), figure("load", 100, "ms", 20)];
  const now = [figure("start", 200, "ms", 40), figure("load", 200, "ms", 20)];
  const compared = comparisons(now, before);
  expect(compared.map(({ name, worse }) => [name, worse])).toEqual([
    ["start", 1],
    ["load", 2],
  ]);
  expect(compared.filter(isRegression).map(({ name }) => name)).toEqual(["load"]);
});

test("fewer operations per second are worse, and figures without a baseline are compared directly", () => {
  const before = [figure("reads", 900, "/s", 1000), figure("size", 30, "MB", 0)];
  const now = [figure("reads", 450, "/s", 1000), figure("size", 45, "MB", 0), figure("new", 1, "ms", 1)];
  expect(comparisons(now, before).map(({ name, worse }) => [name, worse])).toEqual([
    ["reads", 2],
    ["size", 1.5],
  ]);
});

test("the table marks what is worse", () => {
  const table = comparisonTable(comparisons([figure("load", 200, "ms", 20)], [figure("load", 100, "ms", 20)]));
  expect(table.split("\n").at(-1)?.replace(/ {2,}/g, " | ").trim()).toBe("load | 100.0 ms | 200.0 ms | × 2.00 | worse");
});
