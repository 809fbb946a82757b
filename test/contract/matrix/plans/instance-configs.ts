import type { instanceConfigs } from "../../../../api";
import type { Account, Plans } from "../plan";
import { empty } from "./instances";

async function config(account: Account): Promise<{ path: { computeId: number; configId: number } }> {
  const computeId = await empty(account);
  const { data } = await account.api.instanceConfigs.list({ path: { computeId } });
  return { path: { computeId, configId: data[0]?.id as number } };
}

const fields = { label: "other", devices: { sda: { disk_id: null } }, interfaces: [{ purpose: "public" as const }] };

export const plans = {
  list: async (account) => ({ path: { computeId: await empty(account) } }),
  create: async (account) => ({ path: { computeId: await empty(account) }, body: fields }),
  view: config,
  update: async (account) => ({ ...(await config(account)), body: fields }),
  delete: config,
} satisfies Plans<typeof instanceConfigs>;
