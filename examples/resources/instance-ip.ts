import { Instance, InstanceIp } from "pulumi-cloudinfra";

const backend = new Instance("backend", { region: "eu-central", type: "g6-nanode-1" });

// A private address. Additional public addresses must be requested from support.
const inside = new InstanceIp("backend-inside", { computeId: backend.id, public: false });

export const address = inside.address;
