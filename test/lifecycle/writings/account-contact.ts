import fc from "fast-check";
import { constants, nothing } from "../spellings";
import type { Writings } from "./writing";

export const accountContact: Writings = (base) => [
  { as: {}, or: { ...constants(base), taxId: nothing, address2: fc.constantFrom("", undefined) } },
];
