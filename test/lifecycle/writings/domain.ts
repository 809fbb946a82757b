import fc from "fast-check";
import { address, cased, number, seconds, setOf, tags } from "../spellings";
import type { Writings } from "./writing";

export const domain: Writings = () => [
  {
    as: {
      tags: ["prod", "shop"],
      axfrIps: ["2001:db8::a", "198.51.100.1"],
      ttlSec: 3600,
      retrySec: 300,
      expireSec: 0,
    },
    or: {
      domain: cased("example.org"),
      tags: tags(["prod", "shop"]),
      axfrIps: setOf(["2001:db8::a", "198.51.100.1"], address),
      ttlSec: seconds(3600, "up"),
      retrySec: seconds(300, "up").chain(number),
      expireSec: fc.constantFrom(0, 1209600, undefined),
      refreshSec: fc.constantFrom(0, 14400, undefined),
      status: fc.constantFrom("active", undefined),
    },
  },
];
