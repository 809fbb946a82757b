import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ProviderType } from "../../stack/migration";
import { kindTests } from "../lifecycle/kinds";
import { isNightly } from "../nightly";
import { type FaultName, faultNames } from "./faults";
import { fixtures, isPossible, type Known } from "./program";
import { run, type Schedule, schedule, type Tally } from "./schedule";

/**
 * Number of random schedules. A schedule consists of versions of a program, which are deployed one after the other, and
 * faults such as lost responses. `make nightly` runs more, and `make chaos` 10,000 schedules. Below, each fault hits
 * requests of both providers, whatever the number.
 */
const RUNS = Number(process.env.SCHEDULES ?? (isNightly ? 500 : 120));
const SEED = Number(process.env.SEED ?? 15);
/** A seed that no earlier run had, because a new seed can find errors that the fixed seed does not find. */
const NEW_SEED = Date.now() % 2 ** 31;
const NEW_RUNS = isNightly ? 100 : 40;
/** Number of schedules for a fault that has not hit a request in the others. */
const RUNS_OF_A_FAULT = 30;

/**
 * Milliseconds after which a test that deploys a random program with faults counts as hanging. Usually, a test takes a
 * tenth of a second.
 */
const HANGS_MS = 30_000;

const providers = ["dynamic", "native"] as const;
type Counts = Record<ProviderType, number>;

const hits = new Map<string, Counts>();
const adopted = new Map<string, Counts>();
const revived: Counts = { dynamic: 0, native: 0 };

const count = (counts: Map<string, Counts>, key: string, provider: ProviderType): void => {
  const known = counts.get(key) ?? { dynamic: 0, native: 0 };
  known[provider]++;
  counts.set(key, known);
};
const tally: Tally = {
  hit: (provider, fault) => count(hits, fault, provider),
  adopted: (provider, kind) => count(adopted, kind, provider),
  revived: (provider) => void revived[provider]++,
};

let known: Known;
beforeAll(async () => {
  known = await fixtures();
});

afterAll(() => {
  // These numbers are about all kinds, and `make kind` tests one.
  if (process.env.CHAOS_KIND) return;
  const rows = (counts: Map<string, Counts>) => [...counts].map(([what, each]) => ({ what, ...each }));
  console.log("Faults that hit a request, with dynamic resources and with the native plugin:");
  console.table(rows(hits));
  console.log("Resources that got an existing object, by command:");
  console.table(rows(adopted));
  for (const [kind, { templates }] of Object.entries(kindTests))
    if (typeof templates === "string") console.log(`Random programs have no ${kind}: ${templates}`);
  console.log(`Objects that Pulumi deleted although their resources had them again: ${JSON.stringify(revived)}`);
});

/**
 * Deploys random programs with random faults until a test fails. fast-check then searches for the smallest program and
 * the fewest faults that still fail, unless the environment variable `FIRST` is set.
 */
async function campaign(numRuns: number, seed: number, schedules = schedule): Promise<void> {
  const { PATH_OF_FAILURE: path } = process.env;
  const property = fc.asyncProperty(schedules, (one) => run(one, known, tally));
  await fc.assert(property, {
    numRuns,
    seed,
    timeout: HANGS_MS,
    endOnFailure: Boolean(process.env.FIRST),
    ...(path && { path }),
  });
}

const timeout = 120_000 + 2_000 * RUNS;

test.skipIf(!isPossible)(
  `after ${RUNS} random programs with faults, of seed ${SEED}, each account equals its program and is empty after destroy`,
  {
    timeout,
  },
  () => campaign(RUNS, SEED),
);

test(`after ${NEW_RUNS} random programs with faults, of a new seed, each account equals its program and is empty after destroy`, {
  timeout,
}, () => {
  console.log(`New seed: ${NEW_SEED}`);
  return campaign(NEW_RUNS, NEW_SEED);
});

test("each fault hits requests of both providers", { timeout }, async () => {
  const isMissed = (provider: ProviderType, fault: FaultName): boolean => !hits.get(fault)?.[provider];
  for (const provider of providers)
    for (const fault of faultNames)
      if (isMissed(provider, fault)) await campaign(RUNS_OF_A_FAULT, SEED, withFault(provider, fault));
  const missed = providers.flatMap((provider) => faultNames.filter((fault) => isMissed(provider, fault)));
  expect(missed).toEqual([]);
});

/** Random schedules in which a fault is injected that none of the others has had. */
const withFault = (provider: ProviderType, name: FaultName): fc.Arbitrary<Schedule> =>
  schedule.map((one) => ({ ...one, provider, faults: one.faults.map((fault) => ({ ...fault, name })) }));
