import type { Measured } from "./measure";

/** A measurement, with the measurements of providers without requests in the same run for comparison. */
export interface Row extends Measured {
  date: string;
  machine: string;
  timesService?: number;
  timesInstant?: number;
  /** The limits that the measurement exceeds, such as `calls 360 > 340`. */
  over: string[];
}
