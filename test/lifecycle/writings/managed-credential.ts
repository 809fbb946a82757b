import fc from "fast-check";
import { constants } from "../spellings";
import type { Writings } from "./writing";

/** Nothing of a login can be written in two ways; a user name is kept where it is left out. */
export const managedCredential: Writings = (base) => [
  { as: base, or: { ...constants(base), username: fc.constant(base.username) } },
];
