import * as pulumi from "@pulumi/pulumi";
import { Instance, InstanceAction } from "pulumi-cloudinfra";

// pulumi config set --secret rootPass
const rootPass = new pulumi.Config().requireSecret("rootPass");

const kernelParameters = "vm.swappiness = 10";
const cache = new Instance("cache", { region: "eu-central", type: "g6-nanode-1", image: "compute/debian11", rootPass });

// Reboots the instance once, and again whenever the parameters change.
new InstanceAction("reboot-cache", { computeId: cache.id, reboot: {}, triggers: [kernelParameters] });
