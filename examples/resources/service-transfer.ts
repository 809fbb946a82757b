import { Instance, ServiceTransfer } from "pulumi-cloudinfra";

const sold = new Instance("sold", { region: "eu-central", type: "g6-nanode-1" });

const offer = new ServiceTransfer("sale", { entities: { computes: [sold.id] } });

/** Whoever accepts it with this token has the instance. */
export const token = offer.token;
