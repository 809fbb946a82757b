import type { Instance } from "../../../api";
import type { Changes, RowOf } from "../../core/store";
import type { World } from "../../core/world";

/** A period in which an instance was running, in milliseconds since 1970; the end is null while it is running. */
export type Run = readonly [from: number, to: number | null];

/** Number of runs kept per instance. Statistics from before the oldest one are empty. */
const KEPT = 100;

/** Sets the status of an instance, and records when it was running. */
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
  let kept = runs;
  if (status === "running" && !ran) kept = [...runs, [now, null] as const].slice(-KEPT);
  if (status !== "running" && ran) kept = [...runs.slice(0, -1), [last[0], now] as const];
  return world.instances.patch(id, { ...more, status, runs: kept });
}

/**
 * The periods in which the instance was running. If a running instance has no records, for example from a snapshot, it
 * counts as running since its creation.
 */
export const runsOf = ({ runs, status, created }: RowOf<"instances">): readonly Run[] =>
  runs ?? (status === "running" ? [[Date.parse(`${created}Z`), null]] : []);

/** The fraction of a time span in which the instance was running, from 0 to 1. */
export function uptime(runs: readonly Run[], from: number, to: number): number {
  let spent = 0;
  for (const [begin, end] of runs) spent += Math.max(0, Math.min(to, end ?? to) - Math.max(from, begin));
  return spent / (to - from);
}
