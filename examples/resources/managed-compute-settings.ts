import { Instance, ManagedComputeSettings } from "pulumi-cloudinfra";

const billing = new Instance("billing", { region: "eu-central", type: "g6-nanode-1" });

// Support staff cannot log in to this instance.
new ManagedComputeSettings("billing", { computeId: billing.id, ssh: { access: false } });
