import { Firewall, FirewallDevice, Instance } from "pulumi-cloudinfra";

// It states no devices, so each instance can be assigned where it is made.
const office = new Firewall("office", { rules: { inboundPolicy: "DROP", outboundPolicy: "ACCEPT" } });

const printer = new Instance("printer", { region: "eu-central", type: "g6-nanode-1" });
new FirewallDevice("printer", { firewallId: office.id, entityId: printer.id });
