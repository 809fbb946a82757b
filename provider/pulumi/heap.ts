import { setFlagsFromString } from "node:v8";

/**
 * Limits the growth of the heap: Node.js collects garbage before it has grown by more than this percentage since the last
 * time, and the space for new objects does not grow. With 3,000 resources and 40 %, the process of dynamic resources
 * needs 280 MB instead of 330 MB.
 */
export function limitHeapGrowth(percent: number): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
