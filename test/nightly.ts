import { test } from "vitest";

/** Whether `make nightly` runs the tests, with the cases that take too long for every change. */
export const isNightly = Boolean(process.env.NIGHTLY);

/**
 * The rows of a long test that run for every change. `make nightly` runs all rows. Leave out only rows whose behavior
 * other tests prove for every change.
 */
export const forEveryChange = <T>(rows: readonly T[], isChosen: (row: T) => boolean): T[] =>
  isNightly ? [...rows] : rows.filter(isChosen);

/** `test`, which without `make nightly` runs nothing if the condition is not met. */
export const testIf = (isForEveryChange: boolean): ((name: string, run: () => Promise<void>) => void) =>
  isForEveryChange || isNightly ? test : () => undefined;
