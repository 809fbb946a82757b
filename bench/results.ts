import type { Measured } from "./measure";

/** A measurement, compared with the floors of the same run. */
export interface Row extends Measured {
  date: string;
  machine: string;
  timesService?: number;
  timesInstant?: number;
  /** The limits that it exceeds, `calls 360 > 340`. */
  over: string[];
}
