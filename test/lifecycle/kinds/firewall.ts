import type { Fixture } from "../fixture";
import { instance } from "./needs";

const ssh = { action: "ACCEPT", protocol: "TCP", ports: "22", addresses: { ipv4: ["192.0.2.0/24"] } } as const;
const ping = { action: "DROP", protocol: "ICMP", addresses: { ipv6: ["2001:db8::/32"] }, label: "no-ping" } as const;

export const firewall: Fixture<"Firewall"> = async (cloud) => {
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
      tags: [{ to: ["prod", "web"] }, { given: { tags: ["prod"] }, to: [] }],
      status: [{ to: "disabled" }, { given: { status: "disabled" }, to: "enabled" }],
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
          shown: computes,
        },
        {
          given: { devices: { computes: [web] } },
          to: { computes: [db] },
          calls: ["firewallDevices.delete", "firewallDevices.create id type"],
          shown: computes,
        },
        {
          given: { devices: { computes: [web] } },
          to: { computes: [] },
          calls: ["firewallDevices.delete"],
          shown: computes,
        },
      ],
    },
    stir: (id) => world.firewalls.patch(id, {}),
  };
};
