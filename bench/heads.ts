import { join } from "node:path";

/** A provider under the engine, ours or one to compare it with. */
export interface Head {
  name: string;
  /** The package that the program imports. */
  module: string;
  /** Which waits the floor provider makes; a head without it calls the service. */
  floor?: "instant" | "service";
}

const floor = join(__dirname, "floor");

/** Our heads, each measured in every scenario. */
export const heads: readonly Head[] = [{ name: "dynamic", module: "pulumi-cloudinfra" }];

/** Shows what the engine itself takes: answers at once. */
export const instant: Head = { name: "answers at once", module: floor, floor: "instant" };

/** Shows what no provider can avoid: one request per change, and the time that the service takes for it. */
export const serviceTime: Head = { name: "waits for the service", module: floor, floor: "service" };
