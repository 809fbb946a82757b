import { LkeCluster, LkeNodePool } from "pulumi-cloudinfra";

export const apps = new LkeCluster("apps", {
  label: "apps",
  region: "us-east",
  k8sVersion: "1.22",
  pools: {},
});

export const appsG6Standard1 = new LkeNodePool("apps-g6-standard-1", {
  type: "g6-standard-1",
  count: 3,
  clusterId: apps.id,
});

export const appsG6Standard2 = new LkeNodePool("apps-g6-standard-2", {
  type: "g6-standard-2",
  count: 1,
  clusterId: apps.id,
});
