import fc from "fast-check";
import { number } from "../spellings";
import type { Writings } from "./writing";

export const instanceDisk: Writings = ({ computeId, size }) => [
  {
    as: {},
    or: {
      computeId: number(computeId as number),
      size: number(size as number),
      filesystem: fc.constantFrom("ext4", undefined),
      allowReboot: fc.constantFrom(true, undefined),
    },
  },
];
