import ipaddr from "ipaddr.js";
import { z } from "zod";
import { Id, ofText, RegionId } from "../schema/common";
import { reasons } from "../schema/errors";

function parsed(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return text.includes(":") && !text.includes("%") && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

/** The version of an IP address; undefined for anything else. */
export const addressKind = (text: string): "ipv4" | "ipv6" | undefined => parsed(text)?.kind();

/** The shortest spelling of an IP address, so that equal addresses compare equal; undefined for anything else. */
export const canonicalAddress = (text: string): string | undefined => parsed(text)?.toString();

/** `IP/length` with the host bits cleared; a single address is a network of its full length; undefined for anything else. */
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
/** An address that an instance holds. */
export const IPAddress = z.strictObject({
  address: Address.describe("The address itself."),
  gateway: Address.nullable().describe("Default gateway; null for a private address, which has none."),
  subnet_mask: z.string().describe("Mask of the network that the address is in."),
  prefix: z.int().min(0).max(128).describe("Length of that mask in bits."),
  type: z.enum(["ipv4", "ipv6", "ipv6/pool", "ipv6/range"]).describe("Kind of address."),
  public: z.boolean().describe("Whether the internet can reach it; false inside the region only."),
  rdns: z.string().nullable().describe("Name that a reverse lookup returns. Null for a private address."),
  compute_id: Id.describe("Instance that holds the address."),
  region: RegionId.meta({ filterable: true }).describe("Region that the address belongs to."),
});

export type IPv6Pool = z.output<typeof IPv6Pool>;
/** A range of IPv6 addresses that every instance of a region can use. */
export const IPv6Pool = z.strictObject({
  range: z.string().describe("First address of the pool."),
  prefix: z.int().min(0).max(128).describe("Length of the pool's prefix in bits."),
  region: RegionId.meta({ filterable: true }).describe("Region that the pool is routed in."),
  route_target: z.string().nullable().describe("Address that the pool is routed to."),
});

/** What can be changed of an address. */
export const AddressUpdate = z
  .strictObject({
    rdns: z
      .string()
      .nullable()
      .describe(
        "Name for reverse lookups, which must already resolve to the address; null restores the platform's own.",
      ),
  })
  .partial();

/** What kind of further address an instance asks for. */
export const AddressAllocation = z.strictObject({
  type: z
    .enum(["ipv4"], { error: ({ input }) => (typeof input === "string" ? reasons.onlyIpv4 : undefined) })
    .describe("Only IPv4 addresses can be added."),
  public: z.boolean().describe("Whether the internet can reach the address."),
});
