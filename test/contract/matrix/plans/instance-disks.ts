import type { instanceDisks } from "../../../../api";
import type { Account, Plans } from "../plan";
import { empty, offline } from "./instances";

/** Creates an instance that is powered off, and returns the ids of the instance and its system disk. */
async function disk(account: Account): Promise<{ path: { computeId: number; diskId: number } }> {
  const computeId = await offline(account);
  const { data } = await account.api.instanceDisks.list({ path: { computeId } });
  const system = data.find(({ filesystem }) => filesystem !== "swap");
  return { path: { computeId, diskId: system?.id as number } };
}

export const plans = {
  list: async (account) => ({ path: { computeId: await empty(account) } }),
  create: async (account) => ({ path: { computeId: await empty(account) }, body: { label: "data", size: 1000 } }),
  view: disk,
  update: async (account) => ({ ...(await disk(account)), body: { label: "system" } }),
  delete: disk,
  clone: async (account) => {
    const { path } = await disk(account);
    await account.api.instanceDisks.resize({ path, body: { size: 10_000 } });
    account.settle();
    return { path };
  },
  resize: async (account) => ({ ...(await disk(account)), body: { size: 10_000 } }),
  resetPassword: async (account) => ({ ...(await disk(account)), body: { password: "another horse" } }),
} satisfies Plans<typeof instanceDisks>;
