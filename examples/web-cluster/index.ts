import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra";

const config = new pulumi.Config();
const region = config.get("region") ?? "eu-central";
const domainName = config.get("domain") ?? "example.org";
const tags = [pulumi.getProject(), pulumi.getStack()];

// Two web servers. The root password is a secret in the configuration. People log in with SSH keys.
const servers = [1, 2].map(
  (number) =>
    new cloudinfra.Instance(`web-${number}`, {
      label: `web-${number}`,
      region,
      type: "g6-nanode-1",
      image: "compute/debian11",
      rootPass: config.requireSecret("rootPass"),
      authorizedKeys: config.getObject<string[]>("authorizedKeys") ?? [],
      privateIp: true,
      tags,
    }),
) as [cloudinfra.Instance, cloudinfra.Instance];

const [primary] = servers;

// The volume is attached to the first server. Changing `size` grows it in place, and changing `region` replaces it.
const data = new cloudinfra.Volume("data", {
  label: "web-data",
  region,
  size: 20,
  computeId: primary.id,
  tags,
});

// HTTP and HTTPS are open to everyone, SSH only to the office network.
const firewall = new cloudinfra.Firewall("web", {
  label: "web",
  rules: {
    inboundPolicy: "DROP",
    inbound: [
      {
        label: "web",
        action: "ACCEPT",
        protocol: "TCP",
        ports: "80, 443",
        addresses: { ipv4: ["0.0.0.0/0"], ipv6: ["::/0"] },
      },
      { label: "ssh", action: "ACCEPT", protocol: "TCP", ports: "22", addresses: { ipv4: ["192.0.2.0/24"] } },
    ],
    outboundPolicy: "ACCEPT",
  },
  devices: { computes: servers.map((server) => server.id) },
  tags,
});

const zone = new cloudinfra.Domain("zone", {
  domain: domainName,
  type: "master",
  soaEmail: `admin@${domainName}`,
  tags,
});

/** Creates a record in the zone. */
const record = (name: string, args: Omit<cloudinfra.DomainRecordArgs, "domainId">) =>
  new cloudinfra.DomainRecord(name, { domainId: zone.id, ...args });

servers.forEach((server, i) => {
  record(`a-${i + 1}`, { type: "A", name: "www", target: server.ipv4.apply(publicAddress), ttlSec: 300 });
  record(`aaaa-${i + 1}`, { type: "AAAA", name: "www", target: server.ipv6.apply(withoutMask), ttlSec: 300 });
});
record("mx", { type: "MX", target: `mail.${domainName}`, priority: 10 });
record("caa", { type: "CAA", tag: "issue", target: "letsencrypt.org" });

// A Kubernetes cluster whose node pool is scaled by its load.
const cluster = new cloudinfra.LkeCluster("apps", {
  label: "apps",
  region,
  k8sVersion: "1.21",
  pools: {
    workers: { type: "g6-standard-1", count: 2, autoscaler: { enabled: true, min: 2, max: 5 } },
  },
  tags,
});

export const addresses = servers.map((server) => server.ipv4.apply(publicAddress));
export const website = pulumi.interpolate`www.${zone.domain}`;
export const dataPath = data.filesystemPath;
export const firewallId = firewall.id;
export const clusterEndpoint = cluster.endpoint;
/** Secret. To write it to a file: `(umask 077; pulumi stack output kubeconfig --show-secrets > kubeconfig.yaml)`. */
export const kubeconfig = cluster.kubeconfig;

/** The public address of an instance, which may also have a private one. */
function publicAddress(ipv4: string[]): string {
  return ipv4.find((address) => !address.startsWith("192.168.")) ?? "";
}

function withoutMask(ipv6: string | null): string {
  return (ipv6 ?? "").replace("/128", "");
}
