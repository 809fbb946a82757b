import fc from "fast-check";
import { nothing, number } from "../spellings";
import type { Writings } from "./writing";

export const managedService: Writings = ({ address }) => [
  {
    as: {},
    or: {
      address: fc.constantFrom("", "#", "#top", "#a/b?c").map((fragment) => `${address}${fragment}`),
      timeout: number(10),
      body: nothing,
      notes: nothing,
      region: nothing,
      consultationGroup: fc.constantFrom("", undefined),
      credentials: fc.constantFrom([], undefined),
      enabled: fc.constantFrom(true, undefined),
    },
  },
];
