import { Instance, IpSharing } from "pulumi-cloudinfra";

const region = "eu-central";
const active = new Instance("active", { region, type: "g6-nanode-1" });
const standby = new Instance("standby", { region, type: "g6-nanode-1" });

// Lets the standby instance use the active instance's address after a failover.
new IpSharing("failover", { computeId: standby.id, ips: active.ipv4 });
