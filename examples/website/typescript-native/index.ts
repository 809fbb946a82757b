import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra/native";

const config = new pulumi.Config();
const region = "us-east";

const web = new cloudinfra.Instance("web", {
  label: "web",
  region,
  type: "g6-nanode-1",
  image: "compute/debian11",
  rootPass: config.requireSecret("rootPass"),
  tags: ["website"],
});

const data = new cloudinfra.Volume("data", { label: "web-data", region, size: 20, computeId: web.id });

const firewall = new cloudinfra.Firewall("firewall", {
  label: "web",
  rules: {
    inboundPolicy: "DROP",
    outboundPolicy: "ACCEPT",
    inbound: [{ action: "ACCEPT", protocol: "TCP", ports: "443", addresses: { ipv4: ["0.0.0.0/0"], ipv6: ["::/0"] } }],
  },
  devices: { computes: [web.id] },
});

const zone = new cloudinfra.Domain("zone", {
  domain: "example.org",
  type: "master",
  soaEmail: "admin@example.org",
});

const address = web.ipv4.apply((all) => all.find((one) => !one.startsWith("192.168.")) ?? "");
new cloudinfra.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: address, ttlSec: 300 });

const type = cloudinfra.getInstanceTypeOutput({ typeId: web.type });

export const website = pulumi.interpolate`https://www.${zone.domain}`;
export const dataPath = data.filesystemPath;
export const firewallId = firewall.id;
export const memory = type.memory;
