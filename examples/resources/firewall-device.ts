import { Firewall, FirewallDevice, Instance } from "pulumi-cloudinfra";

// A firewall without `devices`. Each instance is assigned to it separately.
const office = new Firewall("office", { rules: { inboundPolicy: "DROP", outboundPolicy: "ACCEPT" } });

const printer = new Instance("printer", { region: "eu-central", type: "g6-nanode-1" });
new FirewallDevice("printer", { firewallId: office.id, entityId: printer.id });
