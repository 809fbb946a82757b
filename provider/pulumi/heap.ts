import { setFlagsFromString } from "node:v8";

/**
 * Makes Node.js collect garbage before the heap has grown by more than this percentage since the last time, and does not
 * let the space for new objects grow. With 3,000 resources and 40 %, the process of dynamic resources then needs 280 MB
 * instead of 330.
 */
export function limitHeapGrowth(percent: number): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
