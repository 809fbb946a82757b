import fc, { type Arbitrary } from "fast-check";
import { cased, nothing, number, pem } from "../spellings";
import type { Writings } from "./writing";

/** A word that need not be written, as the service has it unless told otherwise. */
const usual = (word: string): Arbitrary<unknown> => fc.oneof(cased(word), fc.constant(undefined));

export const nodeBalancerConfig: Writings = ({ nodebalancerId, sslCert, sslKey }) => [
  {
    as: { port: 443, protocol: "https", algorithm: "leastconn" },
    or: {
      nodebalancerId: number(nodebalancerId as number),
      port: number(443),
      protocol: cased("https"),
      algorithm: cased("leastconn"),
      stickiness: usual("none"),
      check: usual("none"),
      checkInterval: fc.constantFrom(31, "31", undefined),
      checkTimeout: fc.constantFrom(30, "30", undefined),
      checkAttempts: fc.constantFrom(3, "3", undefined),
      checkPath: fc.constantFrom("", undefined),
      checkBody: fc.constantFrom("", undefined),
      checkPassive: fc.constantFrom(true, undefined),
      proxyProtocol: usual("none"),
      cipherSuite: usual("recommended"),
      sslCert: pem(sslCert as string),
      sslKey: pem(sslKey as string),
    },
  },
  {
    as: { port: 80, protocol: "http", sslCert: undefined, sslKey: undefined },
    or: { port: fc.constantFrom(80, "80", undefined), protocol: usual("http"), sslCert: nothing, sslKey: nothing },
  },
];
