import fc from "fast-check";
import { constants, network, ports, setOf, tags } from "../equivalent-values";
import type { CreateFixture, Effects, EquivalentValues, ExampleEdit, Found } from "../fixture";
import { id, type Templates } from "../template";
import { instance } from "./needs";

const ssh = { action: "ACCEPT", protocol: "TCP", ports: "22", addresses: { ipv4: ["192.0.2.0/24"] } } as const;
const ping = { action: "DROP", protocol: "ICMP", addresses: { ipv6: ["2001:db8::/32"] }, label: "no-ping" } as const;

export const effects: Effects<"Firewall"> = {
  label: ["firewalls.update"],
  tags: ["firewalls.update"],
  status: ["firewalls.update"],
  rules: ["firewalls.updateRules"],
  devices: ["firewallDevices.create", "firewallDevices.delete"],
};

export const found: Found = { by: "operation" };

export const fixture: CreateFixture<"Firewall"> = async (cloud) => {
  const [web, db] = [(await instance(cloud, "web")).id, (await instance(cloud, "sql")).id];
  const { world } = cloud;
  const computes = (id: number) => ({
    computes: world.firewallDevices.by("firewall_id", id).map((row) => row.compute_id),
  });
  const policies = { inboundPolicy: "DROP", outboundPolicy: "ACCEPT" } as const;
  const rules = { inbound: [{ ...ssh, addresses: { ipv4: ["192.0.2.0/24"] } }], outbound: [], ...policies };
  return {
    base: { label: "web-fw", rules },
    changes: {
      label: { to: "db-fw" },
      tags: [{ to: ["prod", "web"] }, { before: { tags: ["prod"] }, to: [] }],
      status: [{ to: "disabled" }, { before: { status: "disabled" }, to: "enabled" }],
      rules: [
        {
          to: { ...rules, inbound: [...rules.inbound, { ...ping, addresses: { ipv6: ["2001:db8::/32"] } }] },
          calls: ["firewalls.updateRules inbound inbound_policy outbound outbound_policy"],
        },
        {
          to: { ...rules, outboundPolicy: "DROP" },
          calls: ["firewalls.updateRules inbound inbound_policy outbound outbound_policy"],
        },
      ],
      devices: [
        {
          to: { computes: [web, db] },
          calls: ["firewallDevices.create id type", "firewallDevices.create id type"],
          read: computes,
        },
        {
          before: { devices: { computes: [web] } },
          to: { computes: [db] },
          calls: ["firewallDevices.delete", "firewallDevices.create id type"],
          read: computes,
        },
        {
          before: { devices: { computes: [web] } },
          to: { computes: [] },
          calls: ["firewallDevices.delete"],
          read: computes,
        },
      ],
    },
    changeUnmanaged: (id) => world.firewalls.patch(id, {}),
  };
};

const rule = { action: "ACCEPT", protocol: "TCP" };
const nets = { ipv4: ["192.0.2.0/24", "198.51.100.7/32"], ipv6: ["2001:db8::/48", "::1/128"] };
const addresses = fc.record({ ipv4: setOf(nets.ipv4, network), ipv6: setOf(nets.ipv6, network) });
const policies = { inboundPolicy: "DROP", outboundPolicy: "ACCEPT" };

export const equivalentValues: EquivalentValues = () => [
  {
    inputs: {
      tags: ["prod", "web"],
      rules: { inbound: [{ ...rule, ports: "22, 80, 8000-8999", addresses: nets }], outbound: [], ...policies },
    },
    equivalent: {
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

export const exampleEdit: ExampleEdit<"Firewall"> = { tags: ["edited"] };

export const templates: Templates = {
  Firewall: { skip: ["devices"] },
  FirewallOfInstance: {
    needs: { machine: "Instance" },
    usedOnce: { machine: "firewall" },
    skip: ["devices"],
    inputs: (roles) => ({ devices: { computes: [id(roles, "machine")] } }),
  },
};
