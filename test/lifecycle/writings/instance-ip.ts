import fc from "fast-check";
import { host, number } from "../spellings";
import type { Writings } from "./writing";

export const instanceIp: Writings = ({ computeId }) => [
  {
    as: { rdns: "mail.example.org" },
    or: {
      computeId: number(computeId as number),
      type: fc.constantFrom("ipv4", undefined),
      public: fc.constantFrom(true, undefined),
      rdns: host("mail.example.org"),
    },
  },
];
