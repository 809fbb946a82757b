import * as pulumi from "@pulumi/pulumi";
import {
  Domain,
  DomainRecord,
  Firewall,
  Instance,
  LkeCluster,
  NodeBalancer,
  NodeBalancerConfig,
  NodeBalancerNode,
  Volume,
} from "pulumi-cloudinfra/native";

const region = "eu-central";
const rootPass = new pulumi.Config().requireSecret("rootPass");
const machine = { region, image: "compute/debian11", rootPass, privateIp: true };

const web1 = new Instance("web-1", { ...machine, label: "web-1", type: "g6-nanode-1", tags: ["web"] });
const web2 = new Instance("web-2", { ...machine, label: "web-2", type: "g6-nanode-1", tags: ["web"] });
const database = new Instance("database", {
  ...machine,
  label: "database",
  type: "g6-standard-2",
  backupsEnabled: true,
});

new Volume("data", { label: "data", region, size: 20, computeId: database.id });

new Firewall("web", {
  label: "web",
  rules: {
    inboundPolicy: "DROP",
    outboundPolicy: "ACCEPT",
    inbound: [
      { label: "https", action: "ACCEPT", protocol: "TCP", ports: "80, 443", addresses: { ipv4: ["0.0.0.0/0"] } },
      { label: "ssh", action: "ACCEPT", protocol: "TCP", ports: "22", addresses: { ipv4: ["192.0.2.0/24"] } },
    ],
  },
  devices: { computes: [web1.id, web2.id, database.id] },
});

const front = new NodeBalancer("front", { label: "front", region });
const http = new NodeBalancerConfig("http", { nodebalancerId: front.id, port: 80, protocol: "http" });
const node = { nodebalancerId: front.id, configId: http.id };
new NodeBalancerNode("http-1", { ...node, label: "web-1", address: pulumi.interpolate`${web1.privateIpv4}:80` });
new NodeBalancerNode("http-2", { ...node, label: "web-2", address: pulumi.interpolate`${web2.privateIpv4}:80` });

const zone = new Domain("zone", { domain: "example.org", type: "master", soaEmail: "admin@example.org" });
new DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: front.ipv4, ttlSec: 300 });

new LkeCluster("apps", {
  label: "apps",
  region,
  k8sVersion: "1.21",
  pools: { workers: { type: "g6-standard-1", count: 2 } },
});
