import type { domains } from "../../../../api";
import type { Account, Plans } from "../plan";

const fields = { domain: "example.org", type: "master" as const, soa_email: "admin@example.org" };

export async function domain({ api }: Account): Promise<number> {
  return (await api.domains.create({ body: fields })).id;
}

const one = async (account: Account) => ({ path: { domainId: await domain(account) } });

export const plans = {
  list: () => ({}),
  create: () => ({ body: { ...fields, tags: ["prod"], master_ips: [], axfr_ips: ["192.0.2.1"] } }),
  view: one,
  update: async (account) => ({ ...(await one(account)), body: { description: "Ours", axfr_ips: ["192.0.2.1"] } }),
  delete: one,
  clone: async (account) => ({ ...(await one(account)), body: { domain: "example.net" } }),
  import: ({ world }) => {
    const zone = { nameserver: "ns.example.net", domain: "example.org", soa_email: "admin@example.org", records: [] };
    world.remoteZones.insert(zone);
    return { body: { domain: "example.org", remote_nameserver: "ns.example.net" } };
  },
  zoneFile: one,
} satisfies Plans<typeof domains>;
