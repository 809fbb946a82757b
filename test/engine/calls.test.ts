import { expect, test } from "vitest";
import { fleetRuns } from "../../bench/fleet";

/**
 * The most requests of each command on 20 instances, 20 volumes and 20 records in a domain. How many creates share a poll
 * depends on the machine's load, so the limit of `up` leaves room for it.
 */
const most: Record<string, number> = { up: 90, "drift check": 16, preview: 4, destroy: 75 };

test("61 resources take few more requests than one each", async () => {
  const counted: Record<string, number> = {};
  for await (const { command, calls, byOperation } of fleetRuns(20, { pace: "instant", latency: 0 })) {
    counted[command] = calls;
    expect(calls, `${command}: ${JSON.stringify(byOperation)}`).toBeLessThanOrEqual(most[command] ?? 0);
  }
  expect(Object.keys(counted)).toEqual(Object.keys(most));
  expect(counted).toMatchObject({ preview: 0 });
});
