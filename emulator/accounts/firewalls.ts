import { firewallDevices, firewalls, instances } from "../../api";
import { type Account, type Plan, times } from "./account";

const rules = {
  inbound_policy: "DROP" as const,
  outbound_policy: "ACCEPT" as const,
  inbound: [
    { action: "ACCEPT" as const, protocol: "TCP" as const, ports: "80, 443", addresses: { ipv4: ["0.0.0.0/0"] } },
  ],
};

const firewall = ({ call }: Account, label: string) => call(firewalls.create, { body: { label, rules } });

export const plan: Plan = {
  async small(account) {
    const { id: firewallId } = await firewall(account, "web");
    const [web] = (await account.call(instances.list, {})).data;
    if (web)
      await account.call(firewallDevices.create, { path: { firewallId }, body: { type: "compute", id: web.id } });
  },

  async large(account) {
    const computes: number[] = [];
    for (let page = 1; page <= 6; page++)
      computes.push(...(await account.call(instances.list, { query: { page } as never })).data.map(({ id }) => id));
    await times(400, async (at) => {
      const { id: firewallId } = await firewall(account, `firewall-${at}`);
      for (const id of [computes[at], at < 180 ? computes[400 + at] : undefined])
        if (id !== undefined)
          await account.call(firewallDevices.create, { path: { firewallId }, body: { type: "compute", id } });
    });
  },
};
