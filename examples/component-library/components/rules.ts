import type { Input } from "@pulumi/pulumi";

/** A firewall rule that accepts connections to some ports from some networks. */
const accept = (ports: string, ipv4: Input<string>[]) =>
  ({ action: "ACCEPT", protocol: "TCP", ports, addresses: { ipv4 } }) as const;

/** The rules of a firewall that accepts no other inbound connections. */
export const only = (ports: string, ipv4: Input<string>[]) => ({
  inboundPolicy: "DROP" as const,
  inbound: [accept(ports, ipv4)],
  outboundPolicy: "ACCEPT" as const,
});
