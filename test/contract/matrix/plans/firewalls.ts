import type { firewallDevices, firewalls } from "../../../../api";
import type { Plans, Stage } from "../plan";
import { empty } from "./instances";

const rule = {
  action: "ACCEPT" as const,
  protocol: "TCP" as const,
  ports: "80, 443",
  label: "web",
  description: "The world",
  addresses: { ipv4: ["0.0.0.0/0"], ipv6: ["::/0"] },
};
const policies = { inbound_policy: "DROP" as const, outbound_policy: "ACCEPT" as const };
const rules = { ...policies, inbound: [rule], outbound: [rule] };

async function firewall({ api }: Stage): Promise<{ path: { firewallId: number } }> {
  const { id } = await api.firewalls.create({ body: { label: "edge", rules } });
  return { path: { firewallId: id } };
}

export const plans = {
  list: () => ({}),
  create: async (stage) => ({
    body: { label: "edge", rules, devices: { computes: [await empty(stage)] }, tags: ["prod"] },
  }),
  view: firewall,
  update: async (stage) => ({ ...(await firewall(stage)), body: { label: "inner", tags: ["prod"] } }),
  delete: firewall,
  viewRules: firewall,
  updateRules: async (stage) => ({ ...(await firewall(stage)), body: rules }),
} satisfies Plans<typeof firewalls>;

async function device(stage: Stage): Promise<{ path: { firewallId: number; deviceId: number } }> {
  const { path } = await firewall(stage);
  const body = { id: await empty(stage), type: "compute" as const };
  const { id } = await stage.api.firewallDevices.create({ path, body });
  return { path: { ...path, deviceId: id } };
}

export const devicePlans = {
  list: firewall,
  create: async (stage) => ({ ...(await firewall(stage)), body: { id: await empty(stage), type: "compute" } }),
  view: device,
  delete: device,
} satisfies Plans<typeof firewallDevices>;
