import {
  NodeBalancer,
  NodeBalancerConfig,
  NodeBalancerNode,
} from "pulumi-cloudinfra";

export const front = new NodeBalancer("front", {
  region: "us-east",
  label: "front",
});

export const front80 = new NodeBalancerConfig("front-80", {
  nodebalancerId: front.id,
});

export const front80Web = new NodeBalancerNode("front-80-web", {
  label: "web",
  address: "192.168.131.105:80",
  nodebalancerId: front.id,
  configId: front80.id,
});
