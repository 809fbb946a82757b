import { describe, expect, test } from "vitest";
import type { Bag } from "../../../provider/engine/values";
import { refusals } from "./refusals";

describe("Firewall", () => {
  const open = { action: "ACCEPT", protocol: "TCP", ports: "22", addresses: { ipv4: ["0.0.0.0/0"] } };
  const firewall = (rules: Bag) => refusals("Firewall", { label: "fw-1", rules: { ...policies, ...rules } });
  const policies = { inboundPolicy: "DROP", outboundPolicy: "ACCEPT" };
  const rule = (changes: Bag) => firewall({ inbound: [open, { ...open, ...changes }] });

  test("rejects more rules and addresses than are allowed", async () => {
    const many = (n: number) => Array.from({ length: n }, () => open);
    expect(await firewall({ inbound: many(26) })).toMatchInlineSnapshot(
      `"rules.inbound: must have at most 25 rules, inbound and outbound together: there are 26 inbound and 0 outbound (given [{"action":"ACCEPT","protocol":"TCP","ports":"22","addresses":{"ipv4":["0.0.0.0/0"]}},{"action":"ACC…)"`,
    );
    expect(await firewall({ inbound: many(20), outbound: many(6) })).toMatchInlineSnapshot(
      `"rules.outbound: must have at most 25 rules, inbound and outbound together: there are 20 inbound and 6 outbound (given [{"action":"ACCEPT","protocol":"TCP","ports":"22","addresses":{"ipv4":["0.0.0.0/0"]}},{"action":"ACC…)"`,
    );
    const hosts = Array.from({ length: 256 }, (_, i) => `192.0.2.${i}`);
    expect(await rule({ addresses: { ipv4: hosts } })).toMatchInlineSnapshot(
      `"rules.inbound[1].addresses: must have at most 255 addresses and networks, IPv4 and IPv6 together: there are 256 (given {"ipv4":["192.0.2.0","192.0.2.1","192.0.2.2","192.0.2.3","192.0.2.4","192.0.2.5","192.0.2.6","192.0.…)"`,
    );
    expect(await rule({ ports: "1-2, 4-5, 7-8, 10-11, 13-14, 16-17, 19-20, 22-23" })).toMatchInlineSnapshot(
      `"rules.inbound[1].ports: must contain at most 15 ports, where a range counts as two: it contains 16 (given "1-2, 4-5, 7-8, 10-11, 13-14, 16-17, 19-20, 22-23")"`,
    );
  });

  test("rejects invalid ports and addresses", async () => {
    expect(await rule({ ports: "80, 0443" })).toMatchInlineSnapshot(
      `"rules.inbound[1].ports: must contain only ports like 80 and ranges like 8000-8999, without leading zeros: "0443" is neither (given "80, 0443")"`,
    );
    expect(await rule({ ports: "90-80" })).toMatchInlineSnapshot(
      `"rules.inbound[1].ports: must contain only ranges that end above their start: "90-80" does not (given "90-80")"`,
    );
    expect(await rule({ ports: "65536" })).toMatchInlineSnapshot(
      `"rules.inbound[1].ports: must contain only ports from 1 to 65535: "65536" is out of range (given "65536")"`,
    );
    expect(await rule({ ports: undefined })).toMatchInlineSnapshot(
      `"rules.inbound[1].ports: must contain at least one port for TCP"`,
    );
    expect(await rule({ protocol: "ICMP" })).toMatchInlineSnapshot(
      `"rules.inbound[1].ports: must be omitted for ICMP (given "22")"`,
    );
    expect(await rule({ protocol: "GRE" })).toMatchInlineSnapshot(
      `"rules.inbound[1].protocol: must be "TCP", "UDP" or "ICMP" (given "GRE")"`,
    );
    expect(await rule({ addresses: { ipv4: ["192.0.2.0/33"] } })).toMatchInlineSnapshot(
      `"rules.inbound[1].addresses.ipv4[0]: must be an IPv4 address or network like 192.0.2.0/24 (given "192.0.2.0/33")"`,
    );
    expect(await rule({ addresses: { ipv4: ["2001:db8::/32"] } })).toMatchInlineSnapshot(
      `"rules.inbound[1].addresses.ipv4[0]: must be an IPv4 address or network like 192.0.2.0/24 (given "2001:db8::/32")"`,
    );
    expect(await rule({ addresses: { ipv6: ["2001:db8::/129"] } })).toMatchInlineSnapshot(
      `"rules.inbound[1].addresses.ipv6[0]: must be an IPv6 address or network like 2001:db8::/32 (given "2001:db8::/129")"`,
    );
    expect(await rule({ addresses: { ipv4: "0.0.0.0/0" } })).toMatchInlineSnapshot(
      `"rules.inbound[1].addresses.ipv4: must be a list (given "0.0.0.0/0")"`,
    );
    expect(await firewall({ inboundPolicy: "drop" })).toMatchInlineSnapshot(
      `"rules.inboundPolicy: must be "ACCEPT" or "DROP" (given "drop")"`,
    );
  });

  test("reports every problem of a rule in the first run, whichever checks find them", async () => {
    const inbound = [
      { action: "ALLOW", protocol: "tcp", ports: "99999", addresses: { ipv4: ["192.0.2.0/33"] }, label: "x" },
      { action: "ACCEPT", protocol: "ICMP", ports: "22", addresses: { ipv6: ["2001:db8::/129"] } },
    ];
    expect(
      await refusals("Firewall", { label: "wall", sizee: 1, rules: { ...policies, inbound, outbound: "none" } }),
    ).toBe(
      [
        'rules.inbound[0].action: must be "ACCEPT" or "DROP" (given "ALLOW")',
        'rules.inbound[0].protocol: must be "TCP", "UDP" or "ICMP" (given "tcp")',
        'rules.inbound[0].label: must be at least 3 characters long (given "x")',
        'rules.outbound: must be a list (given "none")',
        "sizee: is not a known field",
        'rules.inbound[0].addresses.ipv4[0]: must be an IPv4 address or network like 192.0.2.0/24 (given "192.0.2.0/33")',
        'rules.inbound[1].addresses.ipv6[0]: must be an IPv6 address or network like 2001:db8::/32 (given "2001:db8::/129")',
        'rules.inbound[0].ports: must contain only ports from 1 to 65535: "99999" is out of range (given "99999")',
        'rules.inbound[1].ports: must be omitted for ICMP (given "22")',
      ].join("\n"),
    );
  });

  test("does not guess problems that depend on an invalid value", async () => {
    const rule = { action: "ACCEPT", addresses: { ipv4: ["0.0.0.0/0"] } };
    const inbound = [
      { ...rule, protocol: "icmp" },
      { ...rule, protocol: "tcp", ports: "22" },
    ];
    expect(await refusals("Firewall", { label: "wall", rules: { ...policies, inbound } })).toBe(
      [
        'rules.inbound[0].protocol: must be "TCP", "UDP" or "ICMP" (given "icmp")',
        'rules.inbound[1].protocol: must be "TCP", "UDP" or "ICMP" (given "tcp")',
      ].join("\n"),
    );
  });
});

test("FirewallDevice", async () => {
  expect(
    await refusals("FirewallDevice", { firewallId: 0, entityId: "web", type: "nodebalancer" }),
  ).toMatchInlineSnapshot(`
    "firewallId: must be at least 1 (given 0)
    entityId: must be a number (given "web")
    type: must be "compute" (given "nodebalancer")"
  `);
});
