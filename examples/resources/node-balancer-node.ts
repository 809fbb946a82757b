import * as pulumi from "@pulumi/pulumi";
import { Instance, NodeBalancer, NodeBalancerConfig, NodeBalancerNode } from "pulumi-cloudinfra";

const region = "eu-central";
const forum = new NodeBalancer("forum", { region });
const http = new NodeBalancerConfig("forum-http", { nodebalancerId: forum.id, port: 80 });

for (const name of ["forum-1", "forum-2"]) {
  const server = new Instance(name, { region, type: "g6-nanode-1", privateIp: true });
  new NodeBalancerNode(name, {
    nodebalancerId: forum.id,
    configId: http.id,
    label: name,
    address: pulumi.interpolate`${server.privateIpv4}:8080`,
  });
}

export const address = forum.ipv4;
