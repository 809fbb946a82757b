import * as pulumi from "@pulumi/pulumi";
import { Firewall, Instance, Volume } from "pulumi-cloudinfra/native";

const config = new pulumi.Config();
const region = config.require("region");
const rootPass = config.requireSecret("rootPass");

const web = new Instance("web", { region, type: "g6-nanode-1", image: "compute/debian11", rootPass });

const data = new Volume("data", { region, size: 20, computeId: web.id });

new Firewall("web", {
  rules: {
    inboundPolicy: "DROP",
    inbound: [{ action: "ACCEPT", protocol: "TCP", ports: "80, 443", addresses: { ipv4: ["0.0.0.0/0"] } }],
    outboundPolicy: "ACCEPT",
  },
  devices: { computes: [web.id] },
});

export const addresses = web.ipv4;
export const dataPath = data.filesystemPath;
