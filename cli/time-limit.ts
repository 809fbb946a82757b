import { printable } from "../provider/client/printable";
import { realTime } from "../provider/client/time";
import { TimeLimit } from "../provider/pulumi/time-limit";
import { UsageError } from "../stack/errors";
import { printMessage } from "./say";

/** Runs a command within its time limit. While it waits for a long time, prints what it waits for. */
export async function withinLimit<T>(timeout: string, work: (limit: TimeLimit) => Promise<T>): Promise<T> {
  const limit = limitOf(timeout);
  try {
    return await work(limit);
  } catch (error) {
    throw error instanceof Error ? limit.explain(error) : error;
  } finally {
    limit[Symbol.dispose]();
  }
}

function limitOf(timeout: string): TimeLimit {
  try {
    return new TimeLimit(timeout, (line) => printMessage(printable(line)), realTime);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
