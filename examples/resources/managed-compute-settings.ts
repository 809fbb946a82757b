import { Instance, ManagedComputeSettings } from "pulumi-cloudinfra";

const billing = new Instance("billing", { region: "eu-central", type: "g6-nanode-1" });

// Support staff do not log in here.
new ManagedComputeSettings("billing", { computeId: billing.id, ssh: { access: false } });
