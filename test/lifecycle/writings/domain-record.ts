import fc from "fast-check";
import { address, cased, host, nameIn, nothing, number, seconds } from "../spellings";
import type { Writings } from "./writing";

export const domainRecord: Writings = ({ domainId }) => [
  {
    as: { type: "AAAA", name: "www", target: "2001:db8::1", ttlSec: 7200 },
    or: {
      domainId: number(domainId as number),
      name: nameIn("example.org", "www"),
      target: address("2001:db8::1"),
      ttlSec: seconds(7200, "nearest"),
      tag: nothing,
      service: nothing,
    },
  },
  { as: { type: "A", name: "" }, or: { name: fc.constantFrom("", "@", "example.org", "Example.org.", undefined) } },
  {
    as: { type: "MX", target: "mail.example.net", priority: 10 },
    or: { target: host("mail.example.net"), priority: number(10) },
  },
  {
    as: {
      type: "SRV",
      name: undefined,
      target: "sip",
      priority: 1,
      weight: 0,
      port: 5060,
      service: "sip",
      protocol: "udp",
    },
    or: {
      name: fc.constantFrom(undefined, "", "anything"),
      target: fc.oneof(cased("sip"), host("sip.example.org")),
      service: fc.constantFrom("sip", "_sip", "_SIP"),
      protocol: fc.constantFrom("udp", "_udp", "UDP"),
    },
  },
];
