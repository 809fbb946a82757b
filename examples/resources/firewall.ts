import { Firewall, Instance } from "pulumi-cloudinfra";

const proxies = ["proxy-1", "proxy-2"].map(
  (name) => new Instance(name, { region: "eu-central", type: "g6-nanode-1", tags: ["proxies"] }),
);

// HTTP and HTTPS are open to everyone, SSH only to the office network.
const wall = new Firewall("proxies", {
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
  devices: { computes: proxies.map(({ id }) => id) },
});

export const firewallId = wall.id;
