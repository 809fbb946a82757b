import { afterAll, expect, test } from "vitest";
import { isNightly } from "../nightly";
import { type Figures, play } from "./chaos/play";
import { killsOf, scheduleOf } from "./chaos/schedule";

const first = Number(process.env.SEED ?? 1);
const schedules = Number(process.env.SCHEDULES ?? (isNightly ? 2 : 1));
const seeds = (count: number): number[] => Array.from({ length: count }, (_, i) => first + i);

/**
 * Counts of kills, faults and other events in all tests of this file, for dynamic resources and for the native plugin.
 */
const sums: Record<string, Record<string, number>> = {};

function count(provider: string, { kills, faults, ...others }: Figures): void {
  const killed = Object.entries(kills).map(([victim, times]): [string, number] => [`killed ${victim}`, times]);
  sums[provider] ??= {};
  for (const [name, times] of [
    ["schedules", 1] as const,
    ...killed,
    ...Object.entries(faults),
    ...Object.entries(others),
  ])
    sums[provider][name] = (sums[provider][name] ?? 0) + times;
}

/**
 * Each seed generates a random series of updates with faults and kills. `make chaos-cli SCHEDULES=1 SEED=…` repeats one
 * of them.
 */
test.each(seeds(schedules))(
  "schedule %i: after random edits, faults and kills, the account is what the program declares",
  async (seed) => {
    const schedule = scheduleOf(seed);
    count(schedule.provider, await play(schedule));
  },
);

/** `make nightly` kills updates of the native plugin 50 times. */
test.each(isNightly ? seeds(10) : [])(
  "schedule %i: an update of 100 resources that is killed five times leaves no orphans and no duplicates",
  async (seed) => {
    const figures = await play(killsOf(seed));
    expect(Object.values(figures.kills).reduce((sum, times) => sum + times)).toBe(5);
    count("native, 100 resources", figures);
  },
);

afterAll(() => console.log(JSON.stringify(sums, undefined, 2)));
