import { slope, smallestInThirds, type TrendResult } from "./trend";

/** The resources that a process uses at a given time, in hours since the start of the run. */
export interface Sample {
  hours: number;
  /** Size of the JavaScript heap in MB, after a garbage collection. */
  heap: number;
  /** Memory of the whole process in MB. */
  resident: number;
  /** Number of timers, sockets and other handles that keep the process running. */
  handles: number;
  files: number;
}

/**
 * Fraction of a run, from its start, whose measurements are ignored: caches still fill up, and the number of events in
 * the account grows to its maximum.
 */
export const WARM_UP = 0.2;
/**
 * Minimum duration in hours for detecting leaks. In a shorter run, the growth of compiled code and caches hides that of
 * a leak.
 */
const SHORTEST_HOURS = 4 / 60;

/**
 * Maximum growth of memory in MB per hour. In a short run, a total growth by `noise` MB is allowed instead, because
 * memory varies by that much without a leak.
 */
const limits = { heap: { perHour: 5, noise: 4 }, resident: { perHour: 30, noise: 30 } };
/**
 * Maximum growth of the number of handles and of open files. The smallest numbers in the first and in the last third of
 * the run are compared.
 */
const MORE = 10;

/** Whether the memory, handles and open files of a process stay constant. */
export function trendResults(name: string, all: readonly Sample[]): TrendResult[] {
  const samples = all.slice(Math.floor(all.length * WARM_UP));
  const hours = (samples.at(-1)?.hours ?? 0) - (samples[0]?.hours ?? 0);
  if (hours < SHORTEST_HOURS) return [{ text: `${name}: the run was too short to measure its memory`, holds: true }];
  const grows = (measure: "heap" | "resident"): TrendResult => {
    const maxGrowth = Math.max(limits[measure].perHour, limits[measure].noise / hours);
    const is = slope(samples.map((sample) => ({ x: sample.hours, y: sample[measure] })));
    const [first, last] = smallestInThirds(samples.map((sample) => sample[measure]));
    const text = `${name}: smallest ${measure} memory ${first.toFixed(1)} MB, later ${last.toFixed(1)} MB: `;
    return { text: `${text}${is.toFixed(1)} MB per hour (allowed: ${maxGrowth.toFixed(0)})`, holds: is <= maxGrowth };
  };
  const flat = (measure: "handles" | "files"): TrendResult => {
    const [first, last] = smallestInThirds(samples.map((sample) => sample[measure]));
    return {
      text: `${name}: at least ${first} ${measure}, later ${last} (allowed: ${first + MORE})`,
      holds: last <= first + MORE,
    };
  };
  return [grows("heap"), grows("resident"), flat("handles"), flat("files")];
}
