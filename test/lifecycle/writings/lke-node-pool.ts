import fc from "fast-check";
import { number, tags } from "../spellings";
import type { Writings } from "./writing";

const pool = { type: "g6-standard-1", count: 2, tags: ["main", "web"] };
const scaled = { ...pool, autoscaler: { enabled: true, min: 1, max: 5 } };

export const lkeNodePool: Writings = ({ clusterId }) => [
  {
    as: pool,
    or: {
      clusterId: number(clusterId as number),
      count: number(2),
      tags: tags(pool.tags),
      disks: fc.constantFrom([], undefined),
    },
  },
  { as: scaled, or: { count: fc.integer({ min: 1, max: 5 }), tags: tags(pool.tags) } },
];
