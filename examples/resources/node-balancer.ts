import { NodeBalancer } from "pulumi-cloudinfra";

const balancer = new NodeBalancer("shop", { region: "eu-central", clientConnThrottle: 20, tags: ["production"] });

export const addresses = [balancer.ipv4, balancer.ipv6];
