import type { Instance } from "../../../api";
import type { Changes, RowOf } from "../../core/store";
import type { World } from "../../core/world";

/**
 * A period in which an instance was running: start and end in milliseconds since 1970. The end is null while the
 * instance is running.
 */
export type Run = readonly [from: number, to: number | null];

/**
 * Maximum number of running periods that are stored per instance. Statistics are empty for the time before the oldest
 * stored period.
 */
const MAX_RUNS = 100;

/** Sets the status of an instance, and records the periods in which it is running. */
export function setStatus(
  world: World,
  id: number,
  status: Instance["status"],
  more: Changes<Omit<RowOf<"instances">, "status">> = {},
): RowOf<"instances"> {
  const runs = runsOf(world.instances.get(id));
  const last = runs.at(-1);
  const ran = last !== undefined && last[1] === null;
  const now = world.clock.now();
  let recentRuns = runs;
  if (status === "running" && !ran) recentRuns = [...runs, [now, null] as const].slice(-MAX_RUNS);
  if (status !== "running" && ran) recentRuns = [...runs.slice(0, -1), [last[0], now] as const];
  return world.instances.patch(id, { ...more, status, runs: recentRuns });
}

/**
 * The periods in which the instance was running. The row may lack them if it comes from a loaded snapshot of the
 * emulator; a running instance then counts as running since its creation.
 */
export const runsOf = ({ runs, status, created }: RowOf<"instances">): readonly Run[] =>
  runs ?? (status === "running" ? [[Date.parse(`${created}Z`), null]] : []);

/** The fraction of a time span in which the instance was running, from 0 to 1. */
export function uptime(runs: readonly Run[], from: number, to: number): number {
  let spent = 0;
  for (const [begin, end] of runs) spent += Math.max(0, Math.min(to, end ?? to) - Math.max(from, begin));
  return spent / (to - from);
}
