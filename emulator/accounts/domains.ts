import { domainRecords, domains } from "../../api";
import { type Account, type Plan, times } from "./account";

async function zone({ call }: Account, domain: string): Promise<void> {
  const soa_email = `admin@${domain}`;
  const { id: domainId } = await call(domains.create, { body: { domain, type: "master", soa_email } });
  for (const body of [
    { type: "A", name: "www", target: "192.0.2.10" },
    { type: "AAAA", name: "www", target: "2001:db8::10" },
    { type: "MX", target: `mail.${domain}`, priority: 10 },
    { type: "TXT", target: "v=spf1 mx -all" },
  ] as const)
    await call(domainRecords.create, { path: { domainId }, body });
}

export const plan: Plan = {
  async small(account) {
    await zone(account, "example.org");
    const body = { domain: "example.net", type: "slave" as const, master_ips: ["192.0.2.53"] };
    await account.call(domains.create, { body });
  },

  large: (account) => times(800, (at) => zone(account, `site-${at}.example`)),
};
