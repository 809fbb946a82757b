import type { images } from "../../../../api";
import type { Account, Plans } from "../plan";
import { running } from "./instances";

async function disk(account: Account): Promise<number> {
  const { data } = await account.api.instanceDisks.list({ path: { computeId: await running(account) } });
  return data.find(({ filesystem }) => filesystem !== "swap")?.id as number;
}

/** Captures a private image from a disk. It has a description, which an update cannot change to an empty text. */
export async function image(account: Account): Promise<{ path: { imageId: string } }> {
  const { id } = await account.api.images.create({ body: { disk_id: await disk(account), description: "Ours" } });
  account.settle();
  return { path: { imageId: id } };
}

export const plans = {
  list: () => ({}),
  create: async (account) => ({ body: { disk_id: await disk(account), label: "golden", description: "Ours" } }),
  upload: () => ({ body: { label: "golden", region: "us-east", description: "Ours" } }),
  view: () => ({ path: { imageId: "compute/debian11" } }),
  update: async (account) => ({ ...(await image(account)), body: { label: "golden", description: null } }),
  delete: image,
} satisfies Plans<typeof images>;
