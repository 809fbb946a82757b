/** Secrets of the program below; a test may look for them in everything that is written or printed. */
export const planted = {
  token: "planted-token-7d1f",
  rootPass: "Planted-Horse-42!",
  stackscriptData: "planted-answer-9c2e",
};

/** One edit in place for each kind; a replacement of any would be a fault. */
export const edits: Record<string, string> = {
  "Instance web": "edited: watchdogEnabled",
};

/**
 * A program that holds all eight kinds, as JavaScript so that it starts quickly. `edit` states one thing of each
 * resource otherwise, each of them changed in place.
 */
export const allKinds = ({ edit = false, more = "" } = {}): string => `
const cloudinfra = require("pulumi-cloudinfra");
const { Config } = require("@pulumi/pulumi");
const edited = ${edit};
const tags = ["two", "One"];

const web = new cloudinfra.Instance("web", {
  region: "us-east",
  type: "g6-nanode-1",
  image: "compute/debian11",
  rootPass: new Config().requireSecret("rootPass"),
  authorizedKeys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ7WmY0 someone@example.org"],
  stackscriptData: { answer: new Config().requireSecret("answer") },
  privateIp: true,
  alerts: { cpu: edited ? 70 : 80 },
  tags,
});
const data = new cloudinfra.Volume("data", { label: "data", region: "us-east", size: edited ? 30 : 20, computeId: web.id, tags });
const wall = new cloudinfra.Firewall("wall", {
  label: "wall",
  rules: {
    inboundPolicy: "DROP",
    inbound: [
      { label: "ssh", action: "ACCEPT", protocol: "TCP", ports: edited ? "22, 2222" : "22", addresses: { ipv4: ["192.0.2.0/24"], ipv6: ["2001:0db8::/32"] } },
    ],
    outboundPolicy: "ACCEPT",
  },
  tags,
});
const device = new cloudinfra.FirewallDevice("web", { firewallId: wall.id, entityId: web.id });
const zone = new cloudinfra.Domain("zone", { domain: "Example.org", type: "master", soaEmail: edited ? "new@example.org" : "admin@example.org", tags });
const www = new cloudinfra.DomainRecord("www", {
  domainId: zone.id,
  type: "A",
  name: "www.example.org",
  target: web.ipv4.apply((all) => all.find((address) => !address.startsWith("192.168."))),
  ttlSec: edited ? 3600 : 300,
});
const apps = new cloudinfra.LkeCluster("apps", {
  region: "us-east",
  k8sVersion: "1.21",
  pools: {
    small: { type: "g6-standard-1", count: edited ? 2 : 1 },
    roomy: { type: "g6-standard-2", count: 1, autoscaler: { enabled: true, min: 1, max: 3 } },
  },
  tags,
});
const extra = new cloudinfra.LkeNodePool("extra", { clusterId: apps.id, type: "g6-standard-1", count: edited ? 2 : 1, tags });

exports.ids = [web, data, wall, device, zone, www, apps, extra].map((one) => one.id);
exports.kubeconfig = apps.kubeconfig;
${more}`;
