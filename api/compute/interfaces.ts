import { z } from "zod";
import { canonicalNetwork } from "../networking/addresses";
import type { Rule } from "../schema/rule";

const none = "null means the same as an empty string";

const Fields = z.strictObject({
  purpose: z
    .enum(["public", "vlan"])
    .describe("Type of the interface: `public` (internet) or `vlan` (private network)."),
  label: z
    .string()
    .max(64)
    .regex(/^[a-z0-9-]*$/, "must contain only lower-case letters, digits and dashes")
    .nullable()
    .default("")
    .meta({ filterable: true })
    .describe(`Label of the VLAN. The VLAN is created when it is first used. Empty for a public interface (${none}).`),
  ipam_address: z
    .string()
    .nullable()
    .default("")
    .describe(
      `Private address of the interface with its prefix length, such as 10.0.0.1/24. Empty for a public interface (${none}).`,
    ),
});

export type Interface = z.output<typeof Interface>;
/** A network interface of an instance or of a boot config. */
export const Interface = Fields.meta({ canonical: (value) => canonicalInterface(value as z.output<typeof Fields>) });

/** Converts an interface to the form in which responses contain it: an unset label or address is an empty string. */
export const canonicalInterface = ({ purpose, label, ipam_address }: z.output<typeof Fields>) => ({
  purpose,
  label: label ?? "",
  ipam_address: ipam_address ?? "",
});

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
          yield {
            field: `${field}.ipam_address`,
            reason: "must be an IP address with a prefix length, such as 10.0.0.1/24",
          };
      }
    },
    source: "part 1 · Resources · Network interface object",
  },
];
