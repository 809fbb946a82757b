import type { Measured } from "./measure";

/** All measurements of one run, and where and when they were taken. */
export interface Results {
  date: string;
  machine: string;
  rows: Row[];
}

/** A measurement, compared with the floors of the same run. */
export interface Row extends Measured {
  timesService?: number;
  timesInstant?: number;
  /** The limits that it exceeds, `calls 360 > 340`. */
  over: string[];
}
