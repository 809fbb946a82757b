import * as pulumi from "@pulumi/pulumi";
import { Firewall, Instance, NodeBalancer, NodeBalancerConfig, NodeBalancerNode } from "pulumi-cloudinfra";
import { only } from "./rules";

export interface WebServiceArgs {
  region: pulumi.Input<string>;
  /** The password of root on the servers. */
  rootPass: pulumi.Input<string>;
  /** The number of servers, 2 or more. Defaults to 2. */
  servers?: number;
  /** The type of the servers. Defaults to the smallest one. */
  type?: pulumi.Input<string>;
  /** The port of the HTTP server on each of them. Defaults to 8080. */
  port?: number;
}

/** Servers behind a load balancer. Only addresses of the region's private network, such as the load balancer's, reach them. */
export class WebService extends pulumi.ComponentResource {
  /** The public address of the load balancer. */
  readonly address: pulumi.Output<string>;
  /** The private addresses of the servers. */
  readonly servers: pulumi.Output<string>[];

  constructor(name: string, args: WebServiceArgs, opts?: pulumi.ComponentResourceOptions) {
    super("acme:index:WebService", name, {}, opts);
    const { region, rootPass, servers: count = 2, type = "g6-nanode-1", port = 8080 } = args;
    if (!Number.isInteger(count) || count < 2)
      throw new pulumi.InputPropertyError({
        propertyPath: "servers",
        reason: `must be a whole number of at least 2 (given ${count})`,
      });
    const parent = { parent: this };

    const balancer = new NodeBalancer(name, { region }, parent);
    const http = new NodeBalancerConfig(name, { nodebalancerId: balancer.id, port: 80, protocol: "http" }, parent);

    const servers = Array.from({ length: count }, (_, i) => {
      const label = `${name}-${i + 1}`;
      const image = "compute/debian11";
      const server = new Instance(label, { region, type, image, rootPass, privateIp: true }, parent);
      const address = pulumi.interpolate`${server.privateIpv4}:${port}`;
      new NodeBalancerNode(label, { nodebalancerId: balancer.id, configId: http.id, label, address }, parent);
      return server;
    });

    const devices = { computes: servers.map(({ id }) => id) };
    new Firewall(name, { rules: only(String(port), ["192.168.128.0/17"]), devices }, parent);

    this.address = balancer.ipv4;
    this.servers = servers.map(({ privateIpv4 }) => privateIpv4.apply((address) => address ?? ""));
    this.registerOutputs({ address: this.address });
  }
}
