import fc from "fast-check";
import { number } from "../spellings";
import type { Writings } from "./writing";

export const instanceAction: Writings = ({ computeId }) => [
  {
    as: { triggers: ["a", { b: [1, null] }] },
    or: {
      computeId: number(computeId as number),
      // What an action takes matters only when it is done.
      reboot: fc.constantFrom({}, { configId: 7 }),
    },
  },
];
