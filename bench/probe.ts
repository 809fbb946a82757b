/**
 * This module is loaded into a measured process before the program's own code. It reports the memory and handles of the
 * process to the parent process.
 */
import type { Sample } from "./soak-verdict";

export type Probed = Pick<Sample, "heap" | "resident" | "handles">;

process.on("message", () => {
  global.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const sample: Probed = {
    heap: (heapUsed + external) / 2 ** 20,
    resident: rss / 2 ** 20,
    handles: process.getActiveResourcesInfo().length,
  };
  process.send?.(sample);
});
process.on("disconnect", () => process.exit());
// Without this call, the connection to the parent process would keep this process running after its work has ended.
process.channel?.unref();
