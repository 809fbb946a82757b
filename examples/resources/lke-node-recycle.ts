import { LkeCluster, LkeNodeRecycle } from "pulumi-cloudinfra";

const tools = new LkeCluster("tools", {
  region: "eu-central",
  k8sVersion: "1.21",
  pools: { main: { type: "g6-standard-1", count: 2 } },
});

// An upgrade of the cluster leaves its nodes as they are; this replaces them, one after the other.
new LkeNodeRecycle("nodes-of-tools", { clusterId: tools.id, triggers: [tools.k8sVersion] });
