import { expect, test, vi } from "vitest";
import { type Day, openSockets, runDay } from "./day";
import { disturbances, HOUR, MINUTE } from "./disturbances";

/**
 * Number of virtual hours. In the first four, the API and the receiver each have an outage of an hour. `make drift-day`
 * runs a whole day.
 */
const HOURS = Number(process.env.HOURS ?? 4);
const SEED = Number(process.env.SEED ?? 1);
/**
 * Megabytes by which the heap may grow after the first quarter. In a day, the alerts that the test notes and the events
 * of the emulator take between 1 and 2 MB.
 */
const MAX_GROWTH_MB = 3;
/**
 * Four servers listen: the emulator, the metrics and two receivers. A receiver has up to two connections, and one of them
 * can be followed by another while it is being closed.
 */
const MAX_SOCKETS = 4 + 2 * 2 + 1;

test.each([
  { what: "named stacks", allStacks: false },
  { what: "all stacks of a backend", allStacks: true },
])(
  `in ${HOURS} hours of checking $what, each change by hand is alerted once, and memory stays the same`,
  {
    timeout: 600_000,
  },
  async ({ allStacks }) => {
    // A stack whose objects were all deleted is deployed again.
    vi.stubEnv("CLOUDINFRA_ACCEPT_ALL_DELETED", "1");
    // Those of other tests in the same process.
    const others = openSockets();
    const day = await runDay({ hours: HOURS, seed: SEED, allStacks });
    console.log("Edits:", day.edits, "Alerts:", day.alertCounts, "Responses of the webhook:", day.responses);
    console.table(day.samples);

    expect(day.problems).toEqual([]);
    expect(day.alerts.toSorted()).toEqual(day.expected.toSorted());
    expectOrder(day);
    expectSomeOfAll(day);
    expectChecks(day);
    expectHealth(day);
    expectTotals(day);
    expectFlat(day, others);
  },
);

/** The first word of an alert is the time of its check. */
function expectOrder({ alerts }: Day): void {
  const times = alerts.map((alert) => alert.split(" ")[0]);
  expect(times).toEqual(times.toSorted());
}

function expectSomeOfAll({ edits, alertCounts, responses }: Day): void {
  expect(Object.values(edits).every((count) => count > 0)).toBe(true);
  expect(Object.values(alertCounts).every((count) => count > 0)).toBe(true);
  const kinds = ["accept", "hang", "lose", "reset", "status", "status seconds", "status until"];
  expect(Object.keys(responses).sort()).toEqual(kinds);
}

/** A check fails only during an outage, and misses resources only while requests about them fail. */
function expectChecks({ checks }: Day): void {
  for (const { faults, hasFailed, unread } of checks)
    if (faults !== "lasting") expect({ hasFailed, unread }).toEqual({ hasFailed: false, unread: 0 });
  for (const { from, to, fault } of disturbances)
    for (const check of checks.filter((one) => one.from >= from && one.to <= to)) {
      expect(check.hasFailed).toBe(fault.path === undefined);
      if (!check.hasFailed) expect(check.unread).toBeGreaterThan(0);
    }
  for (const [i, { from }] of checks.entries()) {
    const before = checks[i - 1];
    if (before) expect(from).toBe(Math.max(before.from + 5 * MINUTE, before.to));
  }
}

/** The service is healthy if a check has succeeded in the last 20 minutes: two intervals, and the limit of a check. */
function expectHealth({ checks, health }: Day): void {
  const succeeded = checks.filter(({ hasFailed }) => !hasFailed);
  for (const { at, status } of health) {
    const last = succeeded.findLast(({ to }) => to <= at)?.to ?? Number.NEGATIVE_INFINITY;
    expect(status).toBe(at - last <= 20 * MINUTE ? 200 : 503);
  }
  const statusAfter = (minutes: number) => health.find(({ at }) => at >= minutes * MINUTE)?.status;
  expect([60, 90, 115, 125].map(statusAfter)).toEqual([200, 503, 503, 200]);
}

function expectTotals({ checks, expected, responses, messages, metrics, undelivered }: Day): void {
  const failed = checks.filter(({ hasFailed }) => hasFailed).length;
  expect(metrics.get('cloudinfra_drift_checks_total{result="failure"}')).toBe(failed);
  expect(metrics.get('cloudinfra_drift_checks_total{result="success"}')).toBe(checks.length - failed);
  expect(failed).toBeGreaterThanOrEqual(11);
  expect(responses.accept).toBe(expected.length);
  expect(messages).toBe(expected.length);
  for (const receiver of ["webhook", "slack"]) {
    expect(metrics.get(`cloudinfra_drift_alerts_sent_total{receiver="${receiver}"}`)).toBe(expected.length);
    expect(metrics.get(`cloudinfra_drift_alerts_queued{receiver="${receiver}"}`)).toBe(0);
  }
  expect(undelivered).toBe(0);
}

function expectFlat({ samples }: Day, others: number): void {
  const early = samples.filter(({ at }) => at >= (HOURS * HOUR) / 4);
  const [first, last] = [early[0]?.heapMb ?? 0, early.at(-1)?.heapMb ?? 0];
  console.log(`Heap: ${first.toFixed(1)} MB after a quarter, ${last.toFixed(1)} MB at the end`);
  expect(last - first).toBeLessThan(MAX_GROWTH_MB);
  for (const { sockets, listeners } of samples) {
    expect(sockets).toBeLessThanOrEqual(others + MAX_SOCKETS);
    expect(listeners).toBe(1);
  }
}
