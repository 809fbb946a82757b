import type { volumes } from "../../../../api";
import type { Account, Plans } from "../plan";
import { empty } from "./instances";

export async function volume({ api, settle }: Account, label = "data"): Promise<number> {
  const { id } = await api.volumes.create({ body: { label, region: "us-east" } });
  settle();
  return id;
}

async function attached(account: Account): Promise<number> {
  const [volumeId, compute_id] = [await volume(account), await empty(account)];
  await account.api.volumes.attach({ path: { volumeId }, body: { compute_id } });
  account.settle();
  return volumeId;
}

const one = async (account: Account) => ({ path: { volumeId: await volume(account) } });

export const plans = {
  list: () => ({}),
  create: () => ({ body: { label: "data", region: "us-east", tags: ["prod"] } }),
  view: one,
  update: async (account) => ({ ...(await one(account)), body: { label: "logs", tags: ["prod"] } }),
  delete: one,
  attach: async (account) => ({ ...(await one(account)), body: { compute_id: await empty(account) } }),
  clone: async (account) => ({ ...(await one(account)), body: { label: "copy" } }),
  detach: async (account) => ({ path: { volumeId: await attached(account) } }),
  resize: async (account) => ({ ...(await one(account)), body: { size: 40 } }),
} satisfies Plans<typeof volumes>;
