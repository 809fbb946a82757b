import { cased, number, setOf } from "../spellings";
import type { Writings } from "./writing";

export const tag: Writings = ({ computes }) => [
  { as: {}, or: { label: cased("prod"), computes: setOf(computes as number[], number) } },
];
