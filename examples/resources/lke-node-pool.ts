import { LkeCluster, LkeNodePool } from "pulumi-cloudinfra";

const jobs = new LkeCluster("jobs", {
  region: "eu-central",
  k8sVersion: "1.21",
  pools: { system: { type: "g6-standard-1", count: 1 } },
});

// A pool that another program or team manages, in addition to the pools declared by the cluster.
const reports = new LkeNodePool("reports", { clusterId: jobs.id, type: "g6-standard-2", count: 2, tags: ["reports"] });

export const nodes = reports.count;
