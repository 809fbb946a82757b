import { describe, expect, test } from "vitest";
import { noPublicSsh } from "../../../policies/rules/no-public-ssh";
import { evaluate, typesOf, unknown } from "./evaluate";

const everywhere = { ipv4: ["0.0.0.0/0"], ipv6: ["::/0"] };
const rule = (fields: object) => ({ action: "ACCEPT", protocol: "TCP", addresses: everywhere, ...fields });
const firewall = (inbound: unknown, inboundPolicy: unknown = "DROP") => ({
  rules: { inbound, inboundPolicy, outboundPolicy: "ACCEPT" },
});
const verdict = (inbound: unknown, inboundPolicy?: unknown, config?: object) =>
  evaluate(noPublicSsh, "Firewall", { props: firewall(inbound, inboundPolicy), config });

const allowed =
  "IPv4 prefixes must be /8 or longer, and IPv6 prefixes /7 or longer: list the networks from which you connect.";

test.each(typesOf("Firewall"))("a violation names resource, property, value and what is allowed: %s", (_, type) => {
  const props = firewall([rule({ ports: "80" }), rule({ ports: "20-25" })]);
  expect(evaluate(noPublicSsh, "Firewall", { type, props })).toEqual({
    violations: [
      `Firewall "web": rules.inbound[1] accepts TCP connections from "0.0.0.0/0", "::/0" to ports "20-25", which include 22. ${allowed}`,
    ],
  });
});

describe("rejects a rule that opens port 22", () => {
  test.each([
    ["as a port", { ports: "22" }],
    ["in a list", { ports: "80, 443, 22" }],
    ["in a list without spaces", { ports: "80,22" }],
    ["at the start of a range", { ports: "22-30" }],
    ["at the end of a range", { ports: "443, 20-22" }],
    ["with all ports", {}],
    ["from everywhere in IPv4 only", { ports: "22", addresses: { ipv4: ["0.0.0.0/0"] } }],
    ["from everywhere in IPv6 only", { ports: "22", addresses: { ipv6: ["::/0"] } }],
    ["from half of the internet", { ports: "22", addresses: { ipv4: ["128.0.0.0/1"] } }],
    ["from all public IPv6 addresses", { ports: "22", addresses: { ipv6: ["2000::/3"] } }],
  ])("%s", (_, fields) => expect(verdict([rule(fields)]).violations).toHaveLength(1));
});

describe("accepts a rule", () => {
  test.each([
    ["with other ports", rule({ ports: "2, 80, 220-2222" })],
    ["with another protocol", rule({ ports: "22", protocol: "UDP" })],
    ["for ICMP, which has no ports", rule({ protocol: "ICMP" })],
    ["that drops the connections", rule({ ports: "22", action: "DROP" })],
    ["from chosen networks", rule({ ports: "22", addresses: { ipv4: ["10.0.0.0/8"], ipv6: ["2001:db8::/32"] } })],
    ["from a single address", rule({ ports: "22", addresses: { ipv4: ["192.0.2.7"] } })],
    ["without addresses", rule({ ports: "22", addresses: {} })],
  ])("%s", (_, one) => expect(verdict([one])).toEqual({ violations: [] }));

  test("after a rule that drops the connections from everywhere", () =>
    expect(verdict([rule({ action: "DROP", ports: "22" }), rule({})])).toEqual({ violations: [] }));
});

test("a rule that drops connections only from some networks, or in one family, does not close the port", () => {
  const partly = (addresses: object) => [rule({ action: "DROP", addresses }), rule({ ports: "22" })];
  expect(verdict(partly({ ipv4: ["10.0.0.0/8"] })).violations).toHaveLength(1);
  expect(verdict(partly({ ipv4: ["0.0.0.0/0"] })).violations).toEqual([
    `Firewall "web": rules.inbound[1] accepts TCP connections from "::/0" to ports "22", which include 22. ${allowed}`,
  ]);
});

test("the policy ACCEPT opens the port, unless a rule closes it", () => {
  expect(verdict([], "ACCEPT").violations).toEqual([
    'Firewall "web": rules.inboundPolicy is "ACCEPT", and no rule drops TCP connections to port 22 from everywhere. Set it to "DROP", and accept connections by rules.',
  ]);
  expect(verdict(undefined, "ACCEPT").violations).toHaveLength(1);
  expect(verdict([rule({ action: "DROP", ports: "1-1024" })], "ACCEPT")).toEqual({ violations: [] });
});

test("other ports and shorter prefixes can be configured", () => {
  const config = { ports: [22, 3389], minPrefixIpv4: 24 };
  expect(verdict([rule({ ports: "3000-4000", addresses: { ipv4: ["192.0.0.0/16"] } })], "DROP", config)).toEqual({
    violations: [
      'Firewall "web": rules.inbound[0] accepts TCP connections from "192.0.0.0/16" to ports "3000-4000", which include 3389. IPv4 prefixes must be /24 or longer, and IPv6 prefixes /7 or longer: list the networks from which you connect.',
    ],
  });
});

describe("an unknown value", () => {
  test("is needed to decide", () => {
    expect(evaluate(noPublicSsh, "Firewall", { props: { rules: unknown } })).toEqual({
      violations: [],
      undecided: ".rules",
    });
    expect(verdict(unknown)).toEqual({ violations: [], undecided: ".rules.inbound" });
    expect(verdict([rule({ ports: unknown })])).toEqual({ violations: [], undecided: ".rules.inbound.0.ports" });
    expect(verdict([rule({ ports: "22", addresses: { ipv4: [unknown] } })])).toEqual({
      violations: [],
      undecided: ".rules.inbound.0.addresses.ipv4.0",
    });
    expect(verdict([], unknown)).toEqual({ violations: [], undecided: ".rules.inboundPolicy" });
  });

  test("is not needed if the rest of the rule is harmless", () => {
    expect(verdict([rule({ ports: "80", addresses: unknown })])).toEqual({ violations: [] });
    expect(verdict([rule({ protocol: "UDP", ports: unknown })])).toEqual({ violations: [] });
    expect(verdict([rule({ action: "DROP", ports: "22" })], unknown)).toEqual({ violations: [] });
  });

  test("does not hide a violation of the same rule or of a later one", () => {
    expect(verdict([rule({ ports: "22", addresses: { ipv4: [unknown, "0.0.0.0/0"] } })]).violations).toHaveLength(1);
    const later = verdict([rule({ ports: unknown }), rule({ ports: "22" })]);
    expect(later).toMatchObject({ undecided: ".rules.inbound.0.ports" });
    expect(later.violations).toHaveLength(1);
  });

  test("leaves later rules undecided if its rule can close the port", () =>
    expect(verdict([rule({ action: unknown, ports: "22" }), rule({ ports: "22" })])).toEqual({
      violations: [],
      undecided: ".rules.inbound.0.action",
    }));
});

test("other kinds are not checked", () =>
  expect(evaluate(noPublicSsh, "Volume", { props: firewall([rule({ ports: "22" })]) })).toEqual({ violations: [] }));
