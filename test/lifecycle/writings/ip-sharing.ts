import { number, setOf } from "../spellings";
import type { Writings } from "./writing";

export const ipSharing: Writings = ({ computeId, ips }) => [
  { as: {}, or: { computeId: number(computeId as number), ips: setOf(ips as string[]) } },
];
