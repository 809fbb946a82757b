import ipaddr from "ipaddr.js";
import { z } from "zod";
import { Id, ofText, RegionId } from "../schema/common";
import { reasons } from "../schema/errors";

function parsed(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // Only the parser of the right version is called: the other would throw an error, which takes ten times as long.
  if (!text.includes(":")) return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined;
  return !text.includes("%") && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

/** The version of an IP address, or undefined if the text is not an address. */
export const addressKind = (text: string): "ipv4" | "ipv6" | undefined => parsed(text)?.kind();

/**
 * The shortest form of an IP address, so that equal addresses compare equal. Undefined if the text is not an address.
 */
export const canonicalAddress = (text: string): string | undefined => parsed(text)?.toString();

/**
 * A network in the form `IP/length`, with the host bits cleared. A single IP address becomes a network of full length.
 * Undefined for any other text.
 */
export function canonicalNetwork(text: string): string | undefined {
  const [address = "", length, ...rest] = text.split("/");
  const ip = parsed(address);
  if (!ip || rest.length > 0) return undefined;
  const full = ip.kind() === "ipv4" ? 32 : 128;
  if (length === undefined) return `${ip}/${full}`;
  if (!/^(0|[1-9]\d{0,2})$/.test(length) || Number(length) > full) return undefined;
  const version = ip.kind() === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${version.networkAddressFromCIDR(`${ip}/${length}`)}/${length}`;
}

export const Address = z
  .string()
  .refine((text) => addressKind(text) !== undefined, "must be an IPv4 or IPv6 address")
  .meta({ canonical: ofText(canonicalAddress) });

export type IPAddress = z.output<typeof IPAddress>;
/** An address of an instance. */
export const IPAddress = z.strictObject({
  address: Address.describe("IP address."),
  gateway: Address.nullable().describe("Default gateway. Null for a private address."),
  subnet_mask: z.string().describe("Subnet mask."),
  prefix: z.int().min(0).max(128).describe("Prefix length of the subnet."),
  type: z.enum(["ipv4", "ipv6", "ipv6/pool", "ipv6/range"]).describe("Type of the address."),
  public: z.boolean().describe("Whether the address is public. A private address is reachable only within its region."),
  rdns: z.string().nullable().describe("Reverse DNS name. Null for a private address."),
  compute_id: Id.meta({ filterable: true }).describe("Instance that the address is assigned to."),
  region: RegionId.meta({ filterable: true }).describe("Region of the address."),
});

export type IPv6Pool = z.output<typeof IPv6Pool>;
/** A range of IPv6 addresses that every instance of a region can use. */
export const IPv6Pool = z.strictObject({
  range: z.string().describe("First address of the pool."),
  prefix: z.int().min(0).max(128).describe("Prefix length of the pool."),
  region: RegionId.meta({ filterable: true }).describe("Region of the pool."),
  route_target: z.string().nullable().describe("Address that the pool is routed to."),
});

/** The fields of an address that an update can change. */
export const AddressUpdate = z
  .strictObject({
    rdns: z
      .string()
      .nullable()
      .describe("Reverse DNS name. Must already resolve to the address. `null` restores the default name."),
  })
  .partial();

/** The inputs for allocating an address to an instance. */
export const AddressAllocation = z.strictObject({
  type: z
    .enum(["ipv4"], { error: ({ input }) => (typeof input === "string" ? reasons.onlyIpv4 : undefined) })
    .describe("Type of the address. Only `ipv4` can be added."),
  public: z.boolean().describe("Whether the address is public."),
});
