import type { Arbitrary } from "fast-check";
import type { Bag } from "../../../provider/resource";

export interface Writing {
  as: Bag;
  or: { [input: string]: Arbitrary<unknown> };
}

/** Inputs that show what can be written in several ways, and all those ways, given what the fixture's base states. */
export type Writings = (base: Bag) => Writing[];
