import { lkeClusters, lkePools } from "../../api";
import { type Account, type Plan, times } from "./account";

const cluster = ({ call }: Account, label: string) =>
  call(lkeClusters.create, {
    body: { label, region: "us-east", k8s_version: "1.22", node_pools: [{ type: "g6-standard-1", count: 3 }] },
  });

export const plan: Plan = {
  async small(account) {
    const { id: clusterId } = await cluster(account, "apps");
    await account.call(lkePools.create, { path: { clusterId }, body: { type: "g6-standard-2", count: 1 } });
  },

  large: (account) => times(20, (at) => cluster(account, `cluster-${at}`)),
};
