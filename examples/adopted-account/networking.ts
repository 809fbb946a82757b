import { Firewall, FirewallDevice } from "pulumi-cloudinfra";
import { web } from "./compute";

export const webFirewall = new Firewall("web", {
  label: "web",
  rules: {
    inbound: [
      {
        action: "ACCEPT",
        protocol: "TCP",
        addresses: { ipv4: ["0.0.0.0/0"] },
        ports: "80, 443",
      },
    ],
    inboundPolicy: "DROP",
    outboundPolicy: "ACCEPT",
  },
});

export const webWeb = new FirewallDevice("web-web", {
  firewallId: webFirewall.id,
  entityId: web.id,
});
