import type { domainRecords } from "../../../../api";
import type { Account, Plans } from "../plan";
import { domain } from "./domains";

async function record(account: Account): Promise<{ path: { domainId: number; recordId: number } }> {
  const domainId = await domain(account);
  const body = { type: "A" as const, name: "www", target: "192.0.2.1" };
  const { id } = await account.api.domainRecords.create({ path: { domainId }, body });
  return { path: { domainId, recordId: id } };
}

export const plans = {
  list: async (account) => ({ path: { domainId: await domain(account) } }),
  create: async (account) => ({
    path: { domainId: await domain(account) },
    body: { type: "A", name: "www", target: "192.0.2.1" },
  }),
  view: record,
  update: async (account) => ({ ...(await record(account)), body: { target: "192.0.2.2" } }),
  delete: record,
} satisfies Plans<typeof domainRecords>;
