import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra";

const config = new pulumi.Config();
const region = config.require("region");
const domain = config.require("domain");
const office = config.get("office") ?? "192.0.2.0/24";
const webServers = config.getNumber("webServers") ?? 2;

const server = (name: string, type: string) =>
  new cloudinfra.Instance(name, {
    region,
    type,
    image: "compute/debian11",
    rootPass: config.requireSecret("rootPass"),
    privateIp: true,
  });

// Tier 1: the load balancer has the only address that the domain points to.
const balancer = new cloudinfra.NodeBalancer("website", { region });

const http = new cloudinfra.NodeBalancerConfig("http", {
  nodebalancerId: balancer.id,
  port: 80,
  protocol: "http",
  check: "http",
  checkPath: "/health",
});

// Tier 2: web servers, which the load balancer reaches at their private addresses.
const web = Array.from({ length: webServers }, (_, i) => server(`web-${i + 1}`, "g6-nanode-1"));

for (const [i, { privateIpv4 }] of web.entries())
  new cloudinfra.NodeBalancerNode(`web-${i + 1}`, {
    nodebalancerId: balancer.id,
    configId: http.id,
    label: `web-${i + 1}`,
    address: pulumi.interpolate`${privateIpv4}:8080`,
  });

// Tier 3: the database. Its data stay on volumes if the server is replaced. The volumes are protected: Pulumi rejects changes
// that would delete them.
const database = server("database", "g6-standard-2");

const data = new cloudinfra.Volume("data", { region, size: 40, computeId: database.id }, { protect: true });
const dumps = new cloudinfra.Volume("dumps", { region, size: 20, computeId: database.id }, { protect: true });

/** A firewall rule that accepts connections to a port. */
const accept = (label: string, ports: string, ipv4: pulumi.Input<string>[]) =>
  ({ label, action: "ACCEPT", protocol: "TCP", ports, addresses: { ipv4 } }) as const;

const ssh = accept("ssh", "22", [office]);

// Load balancers and servers of a region reach each other in this network.
const privateNetwork = "192.168.128.0/17";

new cloudinfra.Firewall("web", {
  rules: {
    inboundPolicy: "DROP",
    inbound: [accept("load-balancer", "8080", [privateNetwork]), ssh],
    outboundPolicy: "ACCEPT",
  },
  devices: { computes: web.map(({ id }) => id) },
});

// Only the web servers can connect to the database.
new cloudinfra.Firewall("database", {
  rules: {
    inboundPolicy: "DROP",
    inbound: [
      accept(
        "postgres",
        "5432",
        web.map(({ privateIpv4 }) => pulumi.interpolate`${privateIpv4}/32`),
      ),
      ssh,
    ],
    outboundPolicy: "ACCEPT",
  },
  devices: { computes: [database.id] },
});

const ipv6 = balancer.ipv6.apply((address) => address ?? "");

const zone = new cloudinfra.Domain("zone", { domain, type: "master", soaEmail: `admin@${domain}` });

for (const [name, prefix] of [
  ["apex", ""],
  ["www", "www"],
] as const) {
  const record = { domainId: zone.id, name: prefix, ttlSec: 300 };
  new cloudinfra.DomainRecord(name, { ...record, type: "A", target: balancer.ipv4 });
  new cloudinfra.DomainRecord(`${name}-ipv6`, { ...record, type: "AAAA", target: ipv6 });
}

export const website = `http://www.${domain}`;
export const address = balancer.ipv4;
export const databaseAddress = database.privateIpv4;
export const paths = [data.filesystemPath, dumps.filesystemPath];
