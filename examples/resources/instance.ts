import * as pulumi from "@pulumi/pulumi";
import { Instance } from "pulumi-cloudinfra";

// pulumi config set --secret rootPass
const rootPass = new pulumi.Config().requireSecret("rootPass");

const web = new Instance("web", {
  region: "eu-central",
  type: "g6-nanode-1",
  image: "compute/debian11",
  rootPass,
  authorizedKeys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ7WmY0 someone@example.org"],
  privateIp: true,
  alerts: { cpu: 90 },
  tags: ["production"],
});

export const addresses = web.ipv4;
