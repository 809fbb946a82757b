import type { firewallDevices, firewalls } from "../../../../api";
import type { Account, Plans } from "../plan";
import { empty } from "./instances";

const rule = {
  action: "ACCEPT" as const,
  protocol: "TCP" as const,
  ports: "80, 443",
  label: "web",
  description: "Any address",
  addresses: { ipv4: ["0.0.0.0/0"], ipv6: ["::/0"] },
};
const policies = { inbound_policy: "DROP" as const, outbound_policy: "ACCEPT" as const };
const rules = { ...policies, inbound: [rule], outbound: [rule] };

async function firewall({ api }: Account): Promise<{ path: { firewallId: number } }> {
  const { id } = await api.firewalls.create({ body: { label: "edge", rules } });
  return { path: { firewallId: id } };
}

export const plans = {
  list: () => ({}),
  create: async (account) => ({
    body: { label: "edge", rules, devices: { computes: [await empty(account)] }, tags: ["prod"] },
  }),
  view: firewall,
  update: async (account) => ({ ...(await firewall(account)), body: { label: "inner", tags: ["prod"] } }),
  delete: firewall,
  viewRules: firewall,
  updateRules: async (account) => ({ ...(await firewall(account)), body: rules }),
} satisfies Plans<typeof firewalls>;

async function device(account: Account): Promise<{ path: { firewallId: number; deviceId: number } }> {
  const { path } = await firewall(account);
  const body = { id: await empty(account), type: "compute" as const };
  const { id } = await account.api.firewallDevices.create({ path, body });
  return { path: { ...path, deviceId: id } };
}

export const devicePlans = {
  list: firewall,
  create: async (account) => ({ ...(await firewall(account)), body: { id: await empty(account), type: "compute" } }),
  view: device,
  delete: device,
} satisfies Plans<typeof firewallDevices>;
