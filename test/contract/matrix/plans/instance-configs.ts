import type { instanceConfigs } from "../../../../api";
import type { Plans, Stage } from "../plan";
import { empty } from "./instances";

async function config(stage: Stage): Promise<{ path: { computeId: number; configId: number } }> {
  const computeId = await empty(stage);
  const { data } = await stage.api.instanceConfigs.list({ path: { computeId } });
  return { path: { computeId, configId: data[0]?.id as number } };
}

const fields = { label: "other", devices: { sda: { disk_id: null } }, interfaces: [{ purpose: "public" as const }] };

export const plans = {
  list: async (stage) => ({ path: { computeId: await empty(stage) } }),
  create: async (stage) => ({ path: { computeId: await empty(stage) }, body: fields }),
  view: config,
  update: async (stage) => ({ ...(await config(stage)), body: fields }),
  delete: config,
} satisfies Plans<typeof instanceConfigs>;
