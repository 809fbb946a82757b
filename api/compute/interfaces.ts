import { z } from "zod";
import { canonicalNetwork } from "../networking/addresses";
import type { Rule } from "../schema/rule";

const none = "null means the same as an empty string";

const Fields = z.strictObject({
  purpose: z.enum(["public", "vlan"]).describe("Whether it leads to the internet or to a private network."),
  label: z
    .string()
    .max(64)
    .regex(/^[a-z0-9-]*$/, "must hold only lower-case letters, digits and dashes")
    .nullable()
    .default("")
    .meta({ filterable: true })
    .describe(`Name of the private network, made when first used; empty for a public interface (${none}).`),
  ipam_address: z
    .string()
    .nullable()
    .default("")
    .describe(
      `Address of the instance in that network, with mask, like 10.0.0.1/24; empty for a public one (${none}).`,
    ),
});

export type Interface = z.output<typeof Interface>;
/** A network interface of an instance or a config. */
export const Interface = Fields.meta({ canonical: (value) => canonicalInterface(value as z.output<typeof Fields>) });

/** An interface as the service shows it: an empty string, never null, where there is nothing to say. */
export const canonicalInterface = ({ purpose, label, ipam_address }: z.output<typeof Fields>) => ({
  purpose,
  label: label ?? "",
  ipam_address: ipam_address ?? "",
});

/** What instance create and the configs ask of their interfaces. */
export const interfaceRules: Rule<{ interfaces?: Interface[] | undefined }>[] = [
  {
    reads: ["interfaces"],
    *check({ interfaces = [] }) {
      for (const [index, { purpose, label, ipam_address }] of interfaces.entries()) {
        const field = `interfaces.${index}`;
        if (purpose === "vlan" && !label)
          yield { field: `${field}.label`, reason: "is required for an interface of purpose vlan" };
        if (purpose === "public" && label)
          yield { field: `${field}.label`, reason: "must be empty for a public interface" };
        if (purpose === "public" && ipam_address)
          yield { field: `${field}.ipam_address`, reason: "must be empty for a public interface" };
        if (purpose === "vlan" && ipam_address && !(ipam_address.includes("/") && canonicalNetwork(ipam_address)))
          yield { field: `${field}.ipam_address`, reason: "must be an address with its mask, like 10.0.0.1/24" };
      }
    },
    source: "part 1 · Resources · Network interface object",
  },
];
