import fc from "fast-check";
import { nothing } from "../spellings";
import type { Writings } from "./writing";

const none = { primary: null, secondary: null };

export const managedContact: Writings = () => [
  {
    as: { phone: none, group: null },
    or: { phone: fc.constantFrom(none, { primary: null }, { secondary: null }, {}, undefined), group: nothing },
  },
];
