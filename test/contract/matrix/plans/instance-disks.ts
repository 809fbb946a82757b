import type { instanceDisks } from "../../../../api";
import type { Plans, Stage } from "../plan";
import { empty, offline } from "./instances";

/** An instance that is off, with its disks. */
async function disk(stage: Stage): Promise<{ path: { computeId: number; diskId: number } }> {
  const computeId = await offline(stage);
  const { data } = await stage.api.instanceDisks.list({ path: { computeId } });
  const system = data.find(({ filesystem }) => filesystem !== "swap");
  return { path: { computeId, diskId: system?.id as number } };
}

export const plans = {
  list: async (stage) => ({ path: { computeId: await empty(stage) } }),
  create: async (stage) => ({ path: { computeId: await empty(stage) }, body: { label: "data", size: 1000 } }),
  view: disk,
  update: async (stage) => ({ ...(await disk(stage)), body: { label: "system" } }),
  delete: disk,
  clone: async (stage) => {
    const { path } = await disk(stage);
    await stage.api.instanceDisks.resize({ path, body: { size: 10_000 } });
    stage.settle();
    return { path };
  },
  resize: async (stage) => ({ ...(await disk(stage)), body: { size: 10_000 } }),
  resetPassword: async (stage) => ({ ...(await disk(stage)), body: { password: "another horse" } }),
} satisfies Plans<typeof instanceDisks>;
