/** Loaded into a process under test before its own code: it reports the process's memory and handles to its parent. */
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
// The plugin and the emulator decide themselves when they exit.
process.channel?.unref();
