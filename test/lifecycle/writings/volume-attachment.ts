import { number } from "../spellings";
import type { Writings } from "./writing";

export const volumeAttachment: Writings = ({ volumeId, computeId }) => [
  { as: {}, or: { volumeId: number(volumeId as number), computeId: number(computeId as number) } },
];
