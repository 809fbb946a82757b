import { number } from "../spellings";
import type { Writings } from "./writing";

export const recycle: Writings = ({ clusterId, poolId }) => [
  { as: { triggers: ["1.21"] }, or: { clusterId: number(clusterId as number), poolId: number(poolId as number) } },
];
