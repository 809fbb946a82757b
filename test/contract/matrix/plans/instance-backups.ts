import type { instanceBackups } from "../../../../api";
import type { Plans, Stage } from "../plan";
import { running } from "./instances";

const one = async (stage: Stage) => ({ path: { computeId: await running(stage) } });

async function enabled(stage: Stage): Promise<{ path: { computeId: number } }> {
  const { path } = await one(stage);
  await stage.api.instanceBackups.enable({ path });
  return { path };
}

async function snapshot(stage: Stage): Promise<{ path: { computeId: number; backupId: number } }> {
  const { path } = await enabled(stage);
  const { id } = await stage.api.instanceBackups.snapshot({ path, body: { label: "before" } });
  stage.settle();
  return { path: { ...path, backupId: id } };
}

export const plans = {
  list: enabled,
  view: snapshot,
  snapshot: async (stage) => ({ ...(await enabled(stage)), body: { label: "before" } }),
  enable: one,
  cancel: enabled,
  restore: async (stage) => {
    const { path } = await snapshot(stage);
    await stage.api.instances.shutdown({ path });
    stage.settle();
    return { path, body: { compute_id: path.computeId, overwrite: true } };
  },
} satisfies Plans<typeof instanceBackups>;
