import { printable } from "../../provider/client/printable";
import { TimeLimitError } from "../../provider/pulumi/time-limit";

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

/** The checks of a part of the set-up. If the time limit ends them, the part counts as not checked. */
export async function withinTime<T>(name: string, work: () => Promise<T>, otherwise: (check: Check) => T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error;
    return otherwise(notChecked(name, error.message));
  }
}

/** The first line of a message of another program. */
export const firstLine = (text: string): string => printable(text).trim().split("\n")[0] ?? "";
