import * as pulumi from "@pulumi/pulumi";
import { Domain, DomainRecord, LkeCluster } from "pulumi-cloudinfra/native";
import { deployApp } from "./app";

const config = new pulumi.Config();
const domain = config.require("domain");

// The app needs nodes to run on. The emulator has none, so there the app is left out.
const app = config.get<"cluster" | "files">("app", { allowedValues: ["cluster", "files"] });

const cluster = new LkeCluster("apps", {
  region: config.require("region"),
  k8sVersion: config.get("k8sVersion") ?? "1.21",
  pools: {
    main: { type: "g6-standard-1", count: 3 },
    spare: { type: "g6-standard-2", count: 1, autoscaler: { enabled: true, min: 1, max: 5 } },
  },
});

const zone = new Domain("zone", { domain, type: "master", soaEmail: `admin@${domain}` });

if (app) {
  const target = deployApp("hello", app === "files" ? { renderYamlToDirectory: "manifests" } : cluster);
  // The cluster creates a load balancer for the app, and reports its address.
  if (app === "cluster")
    new DomainRecord("hello", { domainId: zone.id, type: "A", name: "hello", target, ttlSec: 300 });
}

export const url = `http://hello.${domain}`;
export const endpoint = cluster.endpoint;
/** Secret: `(umask 077; pulumi stack output kubeconfig --show-secrets > kubeconfig.yaml)` writes it to a file. */
export const kubeconfig = cluster.kubeconfig;
