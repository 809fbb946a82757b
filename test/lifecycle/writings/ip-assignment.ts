import fc from "fast-check";
import { number } from "../spellings";
import type { Writings } from "./writing";

export const ipAssignment: Writings = ({ assignments }) => {
  const each = (assignments as { address: string; computeId: number }[]).map(({ address, computeId }) =>
    fc.record({ address: fc.constant(address), computeId: number(computeId) }),
  );
  const spelt = fc.tuple(...each).chain((all) => fc.shuffledSubarray(all, { minLength: all.length }));
  return [{ as: {}, or: { assignments: spelt } }];
};
