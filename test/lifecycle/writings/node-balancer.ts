import fc from "fast-check";
import { tags } from "../spellings";
import type { Writings } from "./writing";

export const nodeBalancer: Writings = () => [
  {
    as: { tags: ["prod", "web"], clientConnThrottle: 0 },
    or: { tags: tags(["prod", "web"]), clientConnThrottle: fc.constantFrom(0, "0", undefined) },
  },
];
