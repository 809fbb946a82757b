import { LkeCluster } from "pulumi-cloudinfra";

const apps = new LkeCluster("apps", {
  region: "eu-central",
  k8sVersion: "1.21",
  pools: {
    web: { type: "g6-standard-1", count: 2, autoscaler: { enabled: true, min: 2, max: 5 } },
    batch: { type: "g6-standard-2", count: 1 },
  },
  tags: ["production"],
});

/** Secret. To write it to a file: `(umask 077; pulumi stack output kubeconfig --show-secrets > kubeconfig.yaml)`. */
export const kubeconfig = apps.kubeconfig;
