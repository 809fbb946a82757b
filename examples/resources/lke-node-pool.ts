import { LkeCluster, LkeNodePool } from "pulumi-cloudinfra";

const jobs = new LkeCluster("jobs", {
  region: "eu-central",
  k8sVersion: "1.21",
  pools: { system: { type: "g6-standard-1", count: 1 } },
});

// A node pool in addition to those that the cluster declares, for example of another team.
const reports = new LkeNodePool("reports", { clusterId: jobs.id, type: "g6-standard-2", count: 2, tags: ["reports"] });

export const nodes = reports.count;
