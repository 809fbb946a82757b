import { printable } from "../../provider/client/printable";
import { type TimeLimit, TimeLimitError } from "../../provider/pulumi/time-limit";

export type Result = "ok" | "problem" | "not checked";

/** One line of the report. */
export interface Check {
  /** The subject, such as `Pulumi CLI`. */
  name: string;
  result: Result;
  /** The finding or, for `not checked`, the reason. */
  message: string;
  /** The next step after a problem. */
  fix?: string;
}

export const ok = (name: string, message: string): Check => ({ name, result: "ok", message });

export const problem = (name: string, message: string, fix: string): Check => ({
  name,
  result: "problem",
  message,
  fix,
});

export const notChecked = (name: string, message: string): Check => ({ name, result: "not checked", message });

interface Timed<T> {
  name: string;
  limit: TimeLimit;
  /** The next step if the work does not end. */
  fix: string;
  /** The result if the work does not end, or if no time is left for it. */
  otherwise: (check: Check) => T;
}

/**
 * The checks of a part of the set-up. Work that the time limit ends is a problem, which names what did not end. Work that
 * has no time left because of other work is not blamed.
 */
export async function withinTime<T>({ name, limit, fix, otherwise }: Timed<T>, work: () => Promise<T>): Promise<T> {
  if (limit.isReached) return otherwise(notChecked(name, "no time was left; to allow more time, set --timeout"));
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error;
    return otherwise(problem(name, error.message, fix));
  }
}

/** One check within the time limit. */
export const timedCheck = (timed: Omit<Timed<Check>, "otherwise">, work: () => Promise<Check>): Promise<Check> =>
  withinTime({ ...timed, otherwise: (check) => check }, work);

/** The first line of a message of another program. */
export const firstLine = (text: string): string => printable(text).trim().split("\n")[0] ?? "";
