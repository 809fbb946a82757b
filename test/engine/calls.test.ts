import { expect, test } from "vitest";
import { measure } from "../../bench/measure";
import { dynamic, native } from "../../bench/providers";
import { fleet, type Step } from "../../bench/scenarios";
import { providers } from "./providers";

/**
 * Maximum number of API requests of each command for 20 instances, 20 volumes and 20 records in a domain. Several
 * creates share their polling requests, and on a busy machine fewer of them do, so the limit of `up` is generous.
 */
const max: Partial<Record<Step, number>> = { up: 90, refresh: 16, preview: 4, destroy: 75 };

// One request of each command reads the account and checks the token.
test.each(providers("dynamic"))("61 resources take only a few more requests than one each (%s)", async (type) => {
  const provider = { dynamic, native }[type];
  const counted: Record<string, number> = {};
  const steps = Object.keys(max) as Step[];
  const scenario = fleet(20, { steps, service: { pace: "instant", latency: 0 } });
  for await (const { step, calls, byOperation } of measure(scenario, provider, {})) {
    counted[step] = calls;
    expect(calls, `${step}: ${JSON.stringify(byOperation)}`).toBeLessThanOrEqual(max[step] ?? 0);
  }
  expect(Object.keys(counted)).toEqual(Object.keys(max));
  expect(counted).toMatchObject({ preview: 1 });
});
