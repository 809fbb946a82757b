import type { instanceBackups } from "../../../../api";
import type { Account, Plans } from "../plan";
import { running } from "./instances";

const one = async (account: Account) => ({ path: { computeId: await running(account) } });

async function enabled(account: Account): Promise<{ path: { computeId: number } }> {
  const { path } = await one(account);
  await account.api.instanceBackups.enable({ path });
  return { path };
}

async function snapshot(account: Account): Promise<{ path: { computeId: number; backupId: number } }> {
  const { path } = await enabled(account);
  const { id } = await account.api.instanceBackups.snapshot({ path, body: { label: "before" } });
  account.settle();
  return { path: { ...path, backupId: id } };
}

export const plans = {
  list: enabled,
  view: snapshot,
  snapshot: async (account) => ({ ...(await enabled(account)), body: { label: "before" } }),
  enable: one,
  cancel: enabled,
  restore: async (account) => {
    const { path } = await snapshot(account);
    await account.api.instances.shutdown({ path });
    account.settle();
    return { path, body: { compute_id: path.computeId, overwrite: true } };
  },
} satisfies Plans<typeof instanceBackups>;
