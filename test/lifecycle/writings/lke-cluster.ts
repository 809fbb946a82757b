import fc from "fast-check";
import { constants, number, tags } from "../spellings";
import type { Writings } from "./writing";

const pool = { type: "g6-standard-1", count: 2, tags: ["main", "web"] };
const scaled = { ...pool, autoscaler: { enabled: true, min: 1, max: 5 } };

export const lkeCluster: Writings = () => [
  {
    as: { tags: ["prod", "k8s"], pools: { main: pool, scaled } },
    or: {
      tags: tags(["prod", "k8s"]),
      pools: fc
        .tuple(
          fc.record({
            ...constants(pool),
            count: number(2),
            tags: tags(pool.tags),
          }),
          fc.record({
            ...constants(scaled),
            count: fc.integer({ min: 1, max: 5 }).chain(number),
            tags: tags(pool.tags),
          }),
          fc.boolean(),
        )
        .map(([main, auto, turned]) => (turned ? { scaled: auto, main } : { main, scaled: auto })),
      controlPlane: fc.constantFrom({ highAvailability: false }, undefined),
    },
  },
];
