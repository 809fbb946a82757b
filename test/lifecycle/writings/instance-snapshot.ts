import fc from "fast-check";
import { number } from "../spellings";
import type { Writings } from "./writing";

export const instanceSnapshot: Writings = ({ computeId }) => [
  {
    as: { triggers: ["v1", 2] },
    or: { computeId: number(computeId as number), label: fc.constant("first") },
  },
];
