import type { ReportViolation, ResourceValidationPolicy } from "@pulumi/policy";
import { configurationOf, type Schema } from "../configuration";
import { fieldsIn, kindOf, listIn, nameOf, quoted, type Resource } from "../resource";
import { knownIn, type Read, read } from "../unknown";

export interface Configuration {
  ports: number[];
  minPrefixIpv4: number;
  minPrefixIpv6: number;
}

const configSchema: Schema<Configuration> = {
  properties: {
    ports: {
      type: "array",
      items: { type: "integer", minimum: 1, maximum: 65535 },
      minItems: 1,
      uniqueItems: true,
      default: [22],
      description: "TCP ports that must not be open to the internet.",
    },
    minPrefixIpv4: {
      type: "integer",
      minimum: 1,
      maximum: 32,
      default: 8,
      description: "Shortest prefix of an IPv4 network that may reach the ports. `0.0.0.0/0` has the prefix 0.",
    },
    minPrefixIpv6: {
      type: "integer",
      minimum: 1,
      maximum: 128,
      default: 7,
      description: "Shortest prefix of an IPv6 network that may reach the ports. `::/0` has the prefix 0.",
    },
  },
};

export const noPublicSsh = {
  name: "no-public-ssh",
  description: "Firewalls must not accept SSH connections from the whole internet.",
  enforcementLevel: "mandatory",
  severity: "critical",
  configSchema,
  remediationSteps: "List the networks from which you connect in the rule's addresses, or remove the rule.",
  validateResource(args, report) {
    if (kindOf(args.type) !== "Firewall") args.notApplicable("The policy only applies to firewalls");
    checkFirewall(args, configurationOf(noPublicSsh, args), report);
  },
} satisfies ResourceValidationPolicy;

/** The internet as one family of addresses, with a port to which a firewall decides about its connections. */
interface Target {
  family: "ipv4" | "ipv6";
  port: number;
}

/** The first matching rule applies, so a rule counts only for targets that no earlier rule closes to everyone. */
function checkFirewall(resource: Resource, configuration: Configuration, report: ReportViolation): void {
  const { rules } = resource.props;
  const inbound = listIn(fieldsIn(rules).inbound);
  let open: Target[] = configuration.ports.flatMap((port) => [
    { family: "ipv4", port },
    { family: "ipv6", port },
  ]);
  let undecided: { unknown: unknown } | undefined;
  for (let index = 0; index < inbound.length; index++) {
    const effect = read(() => effectOf(fieldsIn(inbound[index]), open, configuration));
    if ("unknown" in effect) {
      undecided ??= effect;
      if (actionOf(inbound, index) === "ACCEPT") continue;
      // The unknown rule can close the port, in which case later rules have no effect.
      throw effect.unknown;
    }
    const { accepts, closes } = effect.value;
    if (accepts) report(`${nameOf(resource)}: rules.inbound[${index}] ${accepts}. ${allowed(configuration)}`);
    open = open.filter((target) => !closes.includes(target));
  }
  const ports = new Set(open.map(({ port }) => port));
  if (ports.size && fieldsIn(rules).inboundPolicy === "ACCEPT")
    report(
      `${nameOf(resource)}: rules.inboundPolicy is "ACCEPT", and no rule drops TCP connections to port ${[...ports].join(", ")}` +
        ' from everywhere. Set it to "DROP", and accept connections by rules.',
    );
  if (undecided) throw undecided.unknown;
}

function actionOf(inbound: readonly unknown[], index: number): unknown {
  const action: Read<unknown> = read(() => fieldsIn(inbound[index]).action);
  return "value" in action ? action.value : undefined;
}

interface Effect {
  /** The accepted connections from the internet, for the message. Undefined if it accepts nothing. */
  accepts?: string;
  /** The targets to which the rule drops all connections. */
  closes: readonly Target[];
}

/** Reads only as much of the rule as is needed, because the rest can be unknown. */
function effectOf(
  rule: Readonly<Record<string, unknown>>,
  open: readonly Target[],
  { minPrefixIpv4, minPrefixIpv6 }: Configuration,
): Effect {
  const matched = open.filter(({ port }) => rule.protocol === "TCP" && includesPort(rule.ports, port));
  if (!matched.length) return { closes: [] };
  if (rule.action === "DROP")
    return { closes: matched.filter(({ family }) => widerThan(1, rule.addresses, family).length > 0) };
  const shortest = { ipv4: minPrefixIpv4, ipv6: minPrefixIpv6 };
  const wide = matched.flatMap(({ family, port }) =>
    widerThan(shortest[family], rule.addresses, family).map((network) => ({ network, port })),
  );
  if (!wide.length) return { closes: [] };
  const sources = quoted([...new Set(wide.map(({ network }) => network))]);
  const reached = [...new Set(wide.map(({ port }) => port))].join(", ");
  const of = typeof rule.ports === "string" ? `ports ${quoted([rule.ports])}` : "all ports";
  return { accepts: `accepts TCP connections from ${sources} to ${of}, which include ${reached}`, closes: [] };
}

/** The networks of a rule whose prefix is shorter than the given one. */
const widerThan = (shortest: number, addresses: unknown, family: Target["family"]): string[] =>
  knownIn(listIn(fieldsIn(addresses)[family]), (network) => prefixOf(network) < shortest);

/** The length of a network's prefix. A single address has none and is not wide. */
const prefixOf = (network: string): number => {
  const [, prefix] = network.split("/");
  return prefix === undefined ? Number.POSITIVE_INFINITY : Number(prefix);
};

/** Whether a list of ports and ranges, such as `22, 80, 8000-8999`, includes a port. A rule without ports has all. */
function includesPort(ports: unknown, port: number): boolean {
  if (typeof ports !== "string") return true;
  return ports.split(",").some((part) => {
    const [first = Number.NaN, last = first] = part.split("-").map(Number);
    return first <= port && port <= last;
  });
}

const allowed = ({ minPrefixIpv4, minPrefixIpv6 }: Configuration): string =>
  `IPv4 prefixes must be /${minPrefixIpv4} or longer, and IPv6 prefixes /${minPrefixIpv6} or longer: list the networks from which you connect.`;
