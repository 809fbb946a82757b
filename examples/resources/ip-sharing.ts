import { Instance, IpSharing } from "pulumi-cloudinfra";

const region = "eu-central";
const active = new Instance("active", { region, type: "g6-nanode-1" });
const standby = new Instance("standby", { region, type: "g6-nanode-1" });

// The standby can take over the address of the active one.
new IpSharing("failover", { computeId: standby.id, ips: active.ipv4 });
