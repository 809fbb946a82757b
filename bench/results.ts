import type { Measured } from "./measure";

/**
 * A measurement, with its time as a multiple of the times of providers that send no requests, measured in the same run.
 */
export interface Row extends Measured {
  date: string;
  machine: string;
  timesService?: number;
  timesInstant?: number;
  /** The limits that the measurement exceeds, such as `calls 360 > 340`. */
  over: string[];
}
