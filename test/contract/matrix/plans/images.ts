import type { images } from "../../../../api";
import type { Plans, Stage } from "../plan";
import { running } from "./instances";

async function disk(stage: Stage): Promise<number> {
  const { data } = await stage.api.instanceDisks.list({ path: { computeId: await running(stage) } });
  return data.find(({ filesystem }) => filesystem !== "swap")?.id as number;
}

/** A private image that was captured from a disk. */
export async function image(stage: Stage): Promise<{ path: { imageId: string } }> {
  const { id } = await stage.api.images.create({ body: { disk_id: await disk(stage) } });
  stage.settle();
  return { path: { imageId: id } };
}

export const plans = {
  list: () => ({}),
  create: async (stage) => ({ body: { disk_id: await disk(stage), label: "golden", description: "Ours" } }),
  upload: () => ({ body: { label: "golden", region: "us-east", description: "Ours" } }),
  view: () => ({ path: { imageId: "compute/debian11" } }),
  update: async (stage) => ({ ...(await image(stage)), body: { label: "golden", description: null } }),
  delete: image,
} satisfies Plans<typeof images>;
