import fc from "fast-check";
import { nothing, tags } from "../spellings";
import type { Writings } from "./writing";

export const volume: Writings = () => [
  {
    as: { size: 20, tags: ["prod", "db1"] },
    or: { size: fc.constantFrom(20, "20", undefined), tags: tags(["prod", "db1"]), computeId: nothing },
  },
];
