import { objectStorageBuckets, objectStorageClusters, objectStorageKeys } from "../../api";
import type { Plan } from "./account";

export const plan: Plan = {
  async small({ call }) {
    const [cluster] = (await call(objectStorageClusters.list, {})).data;
    if (cluster) await call(objectStorageBuckets.create, { body: { label: "assets", cluster: cluster.id } });
    await call(objectStorageKeys.create, { body: { label: "deployment" } });
  },
};
