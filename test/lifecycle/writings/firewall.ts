import fc from "fast-check";
import { constants, network, ports, setOf, tags } from "../spellings";
import type { Writings } from "./writing";

const rule = { action: "ACCEPT", protocol: "TCP" };
const nets = { ipv4: ["192.0.2.0/24", "198.51.100.7/32"], ipv6: ["2001:db8::/48", "::1/128"] };
const addresses = fc.record({ ipv4: setOf(nets.ipv4, network), ipv6: setOf(nets.ipv6, network) });
const policies = { inboundPolicy: "DROP", outboundPolicy: "ACCEPT" };

export const firewall: Writings = () => [
  {
    as: {
      tags: ["prod", "web"],
      rules: { inbound: [{ ...rule, ports: "22, 80, 8000-8999", addresses: nets }], outbound: [], ...policies },
    },
    or: {
      tags: tags(["prod", "web"]),
      rules: fc.record({
        inbound: fc.tuple(fc.record({ ...constants(rule), ports: ports("22, 80, 8000-8999"), addresses })),
        outbound: fc.constantFrom([], undefined),
        ...constants(policies),
      }),
      status: fc.constantFrom("enabled", undefined),
    },
  },
];
