import { LkeCluster, LkeNodeRecycle } from "pulumi-cloudinfra";

const tools = new LkeCluster("tools", {
  region: "eu-central",
  k8sVersion: "1.21",
  pools: { main: { type: "g6-standard-1", count: 2 } },
});

// Upgrading a cluster does not replace its nodes. This action replaces them one at a time after each upgrade.
new LkeNodeRecycle("nodes-of-tools", { clusterId: tools.id, triggers: [tools.k8sVersion] });
