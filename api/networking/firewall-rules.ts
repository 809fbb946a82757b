import { z } from "zod";
import { asSet, ofText } from "../schema/common";
import type { Breach, Rule } from "../schema/rule";
import { addressKind, canonicalNetwork } from "./addresses";

/** Limits of a firewall, as the API documentation states them. */
export const firewallLimits = {
  /** Maximum number of rules, inbound and outbound together. */
  rules: 25,
  /** Maximum number of addresses and networks in a rule, IPv4 and IPv6 together. */
  addresses: 255,
  /** Maximum number of entries in the `ports` of a rule: a port counts as one, a range as two. */
  pieces: 15,
} as const;

const Policy = z.enum(["ACCEPT", "DROP"]);
const Networks = z.array(z.string().meta({ canonical: ofText(canonicalNetwork) })).meta({ canonical: asSet });

const Fields = z.strictObject({
  action: Policy.describe(
    "Action for traffic that matches the rule. Takes precedence over the default policy of the firewall.",
  ),
  protocol: z.enum(["TCP", "UDP", "ICMP"]).describe("Protocol of the traffic."),
  addresses: z
    .strictObject({
      ipv4: Networks.optional().describe(
        "IPv4 addresses and networks, such as 192.0.2.0/24. If omitted, the rule applies to no IPv4 address.",
      ),
      ipv6: Networks.optional().describe(
        "IPv6 addresses and networks, such as 2001:db8::/32. If omitted, the rule applies to no IPv6 address.",
      ),
    })
    .describe("Source of inbound traffic, or destination of outbound traffic."),
  ports: z
    .string()
    .optional()
    .meta({ canonical: ofText(canonicalPorts) })
    .describe("Ports and port ranges, such as `22, 80, 8000-8999`. Must be omitted for ICMP."),
  label: z.string().min(3).max(32).optional().describe("Label of the rule."),
  description: z.string().min(1).max(100).optional().describe("Description of the rule."),
});

export type FirewallRule = z.output<typeof FirewallRule>;
/** A firewall rule, which accepts or drops the traffic that it matches. */
export const FirewallRule = Fields.meta({ canonical: (value) => withBothFamilies(value as z.output<typeof Fields>) });

/** A rule that omits the addresses of a family matches none of it. Responses can omit an empty list or be null there. */
const withBothFamilies = ({ addresses, ...rule }: z.output<typeof Fields>) => ({
  ...rule,
  addresses: { ipv4: addresses?.ipv4 ?? [], ipv6: addresses?.ipv6 ?? [] },
});

export type FirewallRules = z.output<typeof FirewallRules>;
/** The rules of a firewall. The first matching rule applies. */
export const FirewallRules = z.strictObject({
  inbound: z.array(FirewallRule).describe("Rules for inbound traffic."),
  inbound_policy: Policy.describe("Action for inbound traffic that no rule matches."),
  outbound: z.array(FirewallRule).describe("Rules for outbound traffic."),
  outbound_policy: Policy.describe("Action for outbound traffic that no rule matches."),
});

const { inbound, outbound } = FirewallRules.shape;

/**
 * An update of a firewall's rules. Each list replaces the current one; an omitted list is unchanged. Null is an empty
 * list: Go clients send it for a list without entries.
 */
export const FirewallRulesUpdate = FirewallRules.extend({
  inbound: inbound.nullable(),
  outbound: outbound.nullable(),
}).partial();

const portsIn = (ports: string): string[] => ports.split(/, ?/);

/** Canonical form of a ports string: each port or range once, in order. */
export function canonicalPorts(ports: string): string {
  return [...new Set(portsIn(ports))].sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)).join(", ");
}

/** Number of entries in a ports string: a port counts as one, a range as two. */
export const portPieces = (ports: string): number => ports.split(/[,-]/).length;

export function portProblem(ports: string): string | undefined {
  for (const part of portsIn(ports)) {
    const [, first, last] = /^([1-9]\d*)(?:-([1-9]\d*))?$/.exec(part) ?? [];
    if (!first)
      return `must contain only ports like 80 and ranges like 8000-8999, without leading zeros: "${part}" is neither`;
    if (Number(first) > 65535 || Number(last ?? 1) > 65535)
      return `must contain only ports from 1 to 65535: "${part}" is out of range`;
    if (last && Number(last) <= Number(first))
      return `must contain only ranges that end above their start: "${part}" does not`;
  }
  const pieces = portPieces(ports);
  if (pieces > firewallLimits.pieces)
    return `must contain at most ${firewallLimits.pieces} ports, where a range counts as two: it contains ${pieces}`;
  return undefined;
}

const directions = ["inbound", "outbound"] as const;
type Ruleset = Partial<Record<(typeof directions)[number], FirewallRule[] | undefined>>;

function* each({ inbound = [], outbound = [] }: Ruleset): Iterable<[field: string, rule: FirewallRule]> {
  for (const [index, rule] of inbound.entries()) yield [`inbound.${index}`, rule];
  for (const [index, rule] of outbound.entries()) yield [`outbound.${index}`, rule];
}

function* portsOf(field: string, { protocol, ports }: FirewallRule): Iterable<Breach> {
  if (protocol === "ICMP") {
    if (ports !== undefined) yield { field, reason: "must be omitted for ICMP" };
  } else if (!ports) yield { field, reason: `must contain at least one port for ${protocol}` };
  else {
    const reason = portProblem(ports);
    if (reason) yield { field, reason };
  }
}

const endpoints = "part 3 · Endpoints · Firewalls";

/** Validation of all rules of a firewall: their number, and the addresses and ports of each rule. */
export const firewallRulesetRules: Rule<Ruleset>[] = [
  {
    reads: directions,
    *check({ inbound = [], outbound = [] }) {
      const count = inbound.length + outbound.length;
      if (count > firewallLimits.rules)
        yield {
          field: inbound.length > firewallLimits.rules ? "inbound" : "outbound",
          reason: `must have at most ${firewallLimits.rules} rules, inbound and outbound together: there are ${inbound.length} inbound and ${outbound.length} outbound`,
        };
    },
    source: `${endpoints} · rule 6`,
  },
  {
    reads: directions,
    *check(rules) {
      for (const [field, { addresses }] of each(rules)) {
        const count = (addresses.ipv4?.length ?? 0) + (addresses.ipv6?.length ?? 0);
        if (count > firewallLimits.addresses)
          yield {
            field: `${field}.addresses`,
            reason: `must have at most ${firewallLimits.addresses} addresses and networks, IPv4 and IPv6 together: there are ${count}`,
          };
      }
    },
    source: `${endpoints} · rule 6`,
  },
  {
    reads: directions,
    *check(rules) {
      for (const [field, { addresses }] of each(rules))
        for (const kind of ["ipv4", "ipv6"] as const)
          for (const [index, text] of (addresses[kind] ?? []).entries())
            if (canonicalNetwork(text) === undefined || addressKind(text.split("/")[0] ?? "") !== kind)
              yield {
                field: `${field}.addresses.${kind}.${index}`,
                reason:
                  kind === "ipv4"
                    ? "must be an IPv4 address or network like 192.0.2.0/24"
                    : "must be an IPv6 address or network like 2001:db8::/32",
              };
    },
    source: "part 3 · Resources · Firewall",
  },
  {
    reads: directions,
    *check(rules) {
      for (const [field, rule] of each(rules)) yield* portsOf(`${field}.ports`, rule);
    },
    source: `${endpoints} · rule 7`,
  },
];
