import type { ConfigValue } from "../../testing/engine";
import { moreConfig, moreEdits, moreKinds, morePlanted } from "./more-kinds";

const own = { rootPass: "Planted-Horse-42!", reply: "planted-answer-9c2e" };

/**
 * Secrets in the program that `allKinds` generates. State, logs and output must not contain any of them in plain text.
 */
export const planted = { ...own, ...morePlanted };

export const allKindsConfig = async (): Promise<Record<string, ConfigValue>> => ({
  rootPass: { secret: own.rootPass },
  reply: { secret: own.reply },
  ...(await moreConfig()),
});

/** For each resource, the input that `allKinds` changes in place if `edit` is set. */
export const edits = {
  "Instance web": "alerts",
  "Volume data": "size",
  "Firewall wall": "rules",
  "Domain zone": "soaEmail",
  "DomainRecord www": "ttlSec",
  "LkeCluster apps": "pools",
  "LkeNodePool extra": "count",
  ...moreEdits,
};

/**
 * Number of objects in each table of the emulator after `pulumi up` of the program that `firstKinds` generates. Three
 * of the instances are nodes of the cluster.
 */
export const holdings = {
  instances: 4,
  volumes: 1,
  firewalls: 1,
  firewallDevices: 1,
  domains: 1,
  domainRecords: 1,
  lkeClusters: 1,
  lkePools: 3,
};

/**
 * A program with resources of many kinds, with and without labels, and with inputs for which the API returns an
 * equivalent value, not the declared one. `edit` changes one input of each resource in place. A new kind of resource
 * does not have to be added here, because another test runs the examples of all kinds.
 */
export const allKinds = ({ edit = false } = {}): string => `${firstKinds({ edit })}
${moreKinds}`;

/** The first part of the program that `allKinds` generates: the resources to which later ones refer. */
export const firstKinds = ({ edit = false } = {}): string => `
const { Config } = require("@pulumi/pulumi");
const config = new Config();
const edit = ${edit};
const tags = ["two", "One"];

const web = new cloudinfra.Instance("web", {
  region: "us-east",
  type: "g6-nanode-1",
  image: "compute/debian11",
  rootPass: config.requireSecret("rootPass"),
  authorizedKeys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ7WmY0 someone@example.org"],
  stackscriptData: { reply: config.requireSecret("reply") },
  privateIp: true,
  alerts: { cpu: edit ? 70 : 80 },
  tags,
});
const data = new cloudinfra.Volume("data", {
  label: "data",
  region: "us-east",
  size: edit ? 30 : "20",
  computeId: web.id,
  tags,
});
const wall = new cloudinfra.Firewall("wall", {
  label: "wall",
  rules: {
    inboundPolicy: "DROP",
    inbound: [
      {
        label: "ssh",
        action: "ACCEPT",
        protocol: "TCP",
        ports: edit ? "2222, 22" : "22",
        addresses: { ipv4: ["192.0.2.0/24"], ipv6: ["2001:0DB8:0::/32"] },
      },
    ],
    outboundPolicy: "ACCEPT",
  },
  tags,
});
const device = new cloudinfra.FirewallDevice("web", { firewallId: wall.id, entityId: web.id });
const zone = new cloudinfra.Domain("zone", {
  domain: "Example.org",
  type: "master",
  soaEmail: edit ? "new@example.org" : "admin@example.org",
  tags,
});
const www = new cloudinfra.DomainRecord("www", {
  domainId: zone.id,
  type: "A",
  name: "www.example.org",
  target: web.ipv4.apply((all) => all.find((address) => !address.startsWith("192.168."))),
  ttlSec: edit ? 3600 : 300,
});
const apps = new cloudinfra.LkeCluster("apps", {
  region: "us-east",
  k8sVersion: "1.21",
  pools: {
    small: { type: "g6-standard-1", count: edit ? 2 : 1 },
    roomy: { type: "g6-standard-2", count: 1, autoscaler: { enabled: true, min: 1, max: 3 } },
  },
  tags,
});
const extra = new cloudinfra.LkeNodePool("extra", {
  clusterId: apps.id,
  type: "g6-standard-1",
  count: edit ? 2 : 1,
  tags,
});

exports.kubeconfig = apps.kubeconfig;
exports.kubeconfigByMethod = apps.getKubeconfig().kubeconfig;`;
