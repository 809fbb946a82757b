import fc from "fast-check";
import { disk } from "../kinds/files";
import type { Writings } from "./writing";

export const image: Writings = () => [
  {
    as: { file: disk.raw, description: "golden" },
    or: {
      // What matters is what the file holds, wherever it lies and however it is given.
      file: fc.constantFrom(disk.raw, disk.copy),
      region: fc.constant("us-east"),
    },
  },
  {
    as: { file: undefined, source: { path: disk.raw } },
    or: { source: fc.constantFrom({ path: disk.raw }, { path: disk.copy }, { text: disk.text }) },
  },
];
