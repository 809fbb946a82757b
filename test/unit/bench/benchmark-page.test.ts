import { expect, test } from "vitest";
import { benchmarkPage } from "../../../bench/benchmark-page";
import type { Row } from "../../../bench/results";

const row = (rest: Partial<Row>): Row => ({
  scenario: "fleet of 100",
  provider: "dynamic",
  step: "up",
  seconds: 36.25,
  calls: 1_340,
  byOperation: { "volumes.create": 1_100, "volumes.list": 240 },
  rejected: 3,
  inFlight: 8,
  memory: { engine: 130, provider: 210 },
  stateBytes: 2_048_000,
  over: [],
  date: "2026-11-22",
  machine: "2 cores",
  ...rest,
});

const page = benchmarkPage([
  row({ timesService: 1.254 }),
  row({ scenario: "fleet of 100, native plugin", provider: "native", seconds: 31 }),
  row({ scenario: "fleet of 20", seconds: 9, timesInstant: 2, date: "2026-11-23" }),
]);

test("the page names the days and the machine of the measurements", () => {
  expect(page["benchmarks.md"]).toContain("Measured on 2026-11-22 (2 cores) and on 2026-11-23 (2 cores).");
});

test("the page compares our figures with those of other providers", () => {
  expect(page["benchmarks.md"]).toContain(
    "| up, n = 100 | 90.6 s, 1,104 calls | 141.0 s, 1,103 calls | **36.3 s, 1,340 calls** | **31.0 s, 1,340 calls** |",
  );
  expect(page["benchmarks.md"]).toContain(
    "| destroy, n = 100 | 92.3 s, 1,505 calls | 138.0 s, 802 calls | not measured | not measured |",
  );
});

test("the page lists every measurement with memory, refusals and calls by operation", () => {
  expect(page["benchmarks.md"]).toContain(
    "| fleet of 100 | up | dynamic | 36.3 | 1,340 | 1.25 | – | 8 | 3 | 130 + – + 210 | 2,000 KB |",
  );
  expect(page["benchmarks.md"]).toContain("| fleet of 20 | up | 1,100 `volumes.create`, 240 `volumes.list` |");
});

test("the plot is an SVG with a line for each provider", () => {
  const { "benchmarks.svg": svg = "" } = page;
  expect(svg).toMatch(/^<svg /);
  for (const name of [
    "pulumi-cloudinfra",
    "terraform-provider-linode 3.9",
    "pulumi-linode 6.0",
    "waits for the service",
  ])
    expect(svg).toContain(`>${name}</text>`);
});
