import { Instance, ServiceTransfer } from "pulumi-cloudinfra";

const sold = new Instance("sold", { region: "eu-central", type: "g6-nanode-1" });

const offer = new ServiceTransfer("sale", { entities: { computes: [sold.id] } });

/** The receiving account accepts the transfer with this token. */
export const token = offer.token;
