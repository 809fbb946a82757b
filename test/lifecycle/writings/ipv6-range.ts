import fc from "fast-check";
import { address } from "../spellings";
import type { Writings } from "./writing";

export const ipv6Range: Writings = ({ range }) => {
  const spelt = fc.tuple(address(range as string), fc.constantFrom("", "/64"));
  return [{ as: {}, or: { range: spelt.map((parts) => parts.join("")) } }];
};
