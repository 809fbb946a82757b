import type { volumes } from "../../../../api";
import type { Plans, Stage } from "../plan";
import { empty } from "./instances";

export async function volume({ api, settle }: Stage, label = "data"): Promise<number> {
  const { id } = await api.volumes.create({ body: { label, region: "us-east" } });
  settle();
  return id;
}

async function attached(stage: Stage): Promise<number> {
  const [volumeId, compute_id] = [await volume(stage), await empty(stage)];
  await stage.api.volumes.attach({ path: { volumeId }, body: { compute_id } });
  stage.settle();
  return volumeId;
}

const one = async (stage: Stage) => ({ path: { volumeId: await volume(stage) } });

export const plans = {
  list: () => ({}),
  create: () => ({ body: { label: "data", region: "us-east", tags: ["prod"] } }),
  view: one,
  update: async (stage) => ({ ...(await one(stage)), body: { label: "logs", tags: ["prod"] } }),
  delete: one,
  attach: async (stage) => ({ ...(await one(stage)), body: { compute_id: await empty(stage) } }),
  clone: async (stage) => ({ ...(await one(stage)), body: { label: "copy" } }),
  detach: async (stage) => ({ path: { volumeId: await attached(stage) } }),
  resize: async (stage) => ({ ...(await one(stage)), body: { size: 40 } }),
} satisfies Plans<typeof volumes>;
