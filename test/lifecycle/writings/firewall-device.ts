import fc from "fast-check";
import { number } from "../spellings";
import type { Writings } from "./writing";

export const firewallDevice: Writings = ({ firewallId, entityId }) => [
  {
    as: {},
    or: {
      firewallId: number(firewallId as number),
      entityId: number(entityId as number),
      type: fc.constantFrom("compute", undefined),
    },
  },
];
