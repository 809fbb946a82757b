import fc from "fast-check";
import { listOf, number } from "../spellings";
import type { Writings } from "./writing";

export const serviceTransfer: Writings = ({ entities }) => {
  const { computes } = entities as { computes: number[] };
  return [
    {
      as: {},
      or: {
        entities: fc
          .shuffledSubarray(computes, { minLength: computes.length })
          .chain((ids) => listOf(ids, number))
          .map((ids) => ({ computes: ids })),
      },
    },
  ];
};
