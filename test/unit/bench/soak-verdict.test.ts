import { expect, test } from "vitest";
import { type Sample, trendResults } from "../../../bench/soak-verdict";

/** Simulated measurements of a process: every ten seconds during half an hour, with a memory that varies by 3 MB. */
const samples = (change: (hours: number) => Partial<Sample>): Sample[] =>
  Array.from({ length: 180 }, (_, nth) => {
    const hours = nth / 360;
    return { hours, heap: 40 + (nth % 4), resident: 120 + (nth % 4), handles: 10, files: 30, ...change(hours) };
  });

const failing = (all: Sample[]) => trendResults("emulator", all).flatMap(({ text, holds }) => (holds ? [] : [text]));

test("a process whose memory varies without growing passes", () => {
  expect(failing(samples(() => ({})))).toEqual([]);
});

test("growth before the end of the warm-up does not count", () => {
  expect(failing(samples((hours) => (hours < 0.1 ? { heap: 400 * hours } : {})))).toEqual([]);
});

test("a leak of 20 MB per hour fails, with its slope", () => {
  const failures = failing(samples((hours) => ({ heap: 40 + 20 * hours })));
  expect(failures).toEqual([expect.stringContaining("20.0 MB per hour (allowed: 10)")]);
});

test("memory outside the heap that grows by 90 MB per hour fails", () => {
  const [failure] = failing(samples((hours) => ({ resident: 120 + 90 * hours })));
  expect(failure).toContain("90.0 MB per hour (allowed: 76)");
});

test("a connection that is not closed each minute fails", () => {
  const open = (hours: number) => Math.floor(hours * 60);
  expect(failing(samples((hours) => ({ handles: 10 + open(hours), files: 30 + open(hours) })))).toHaveLength(2);
});
