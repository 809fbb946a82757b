import { slope, thirds, type Verdict } from "./trend";

/** The resources of a process at a time, in hours since the beginning of the run. */
export interface Sample {
  hours: number;
  /** Memory in MB: the heap after a garbage collection, and what the process occupies. */
  heap: number;
  resident: number;
  /** Timers, sockets and other resources that keep the process running. */
  handles: number;
  /** Open files. */
  files: number;
}

/** The part of a run before memory is measured: caches fill up, and the account keeps as many events as it ever does. */
export const WARM_UP = 0.2;
/** In a shorter time, compiled code and caches grow more than a leak. */
const SHORTEST_HOURS = 4 / 60;

/** The largest slopes in MB per hour, and the growth in MB that is noise in any run. */
const limits = { heap: { perHour: 5, noise: 2 }, resident: { perHour: 30, noise: 15 } };
/** The number of handles and of files that may be open in addition. */
const MORE = 8;

/** Whether the memory, the handles and the files of a process stayed the same. */
export function verdictsOf(name: string, all: readonly Sample[]): Verdict[] {
  const samples = all.slice(Math.floor(all.length * WARM_UP));
  const hours = (samples.at(-1)?.hours ?? 0) - (samples[0]?.hours ?? 0);
  if (hours < SHORTEST_HOURS) return [{ text: `${name}: the run was too short to measure its memory`, holds: true }];
  const grows = (measure: "heap" | "resident"): Verdict => {
    const most = Math.max(limits[measure].perHour, limits[measure].noise / hours);
    const is = slope(samples.map((sample) => ({ x: sample.hours, y: sample[measure] })));
    const [first, last] = thirds(samples.map((sample) => sample[measure]));
    const text = `${name}: ${measure} memory ${first.toFixed(1)} MB, later ${last.toFixed(1)} MB: `;
    return { text: `${text}${is.toFixed(1)} MB per hour (allowed: ${most.toFixed(0)})`, holds: is <= most };
  };
  const flat = (measure: "handles" | "files"): Verdict => {
    const [first, last] = thirds(samples.map((sample) => sample[measure]));
    return {
      text: `${name}: ${first} ${measure}, later ${last} (allowed: ${first + MORE})`,
      holds: last <= first + MORE,
    };
  };
  return [grows("heap"), grows("resident"), flat("handles"), flat("files")];
}
