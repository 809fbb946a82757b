import { type TestContext, test } from "vitest";

/** Whether `make nightly` runs the tests, with the cases that take too long for every change. */
export const isNightly = Boolean(process.env.NIGHTLY);

/**
 * The rows of a long test that run for every change. `make nightly` runs all rows. Leave out only rows whose behavior
 * other tests prove for every change.
 */
export const forEveryChange = <T>(rows: readonly T[], isChosen: (row: T) => boolean): T[] =>
  isNightly ? [...rows] : rows.filter(isChosen);

/**
 * {@link forEveryChange} for the native plugin. Dynamic resources, which run the same code for these rows, have all of
 * them for every change.
 */
export const forEveryChangeOfPlugin = <T>(rows: readonly T[], isChosen: (row: T) => boolean): T[] =>
  process.env.PROVIDER === "native" ? forEveryChange(rows, isChosen) : [...rows];

type TestFunction = (name: string, run: (context: TestContext) => Promise<void>, timeout?: number) => void;

/** A test that only `make nightly` runs, because others prove the same for every change. */
export const nightly: TestFunction = isNightly ? test : () => undefined;
