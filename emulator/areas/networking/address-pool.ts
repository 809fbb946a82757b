import { canonicalAddress, type IPAddress } from "../../../api";
import { ErrorResponse } from "../../core/error-response";
import { hash } from "../../core/random";
import { table } from "../../core/store";
import type { World } from "../../core/world";
import type { Part } from "../../http/handlers";

export interface AddressRow {
  /** The IP address, which is also the id of the row. */
  id: string;
  compute_id: number;
  region: string;
  type: "ipv4" | "ipv6";
  public: boolean;
  /** The reverse DNS name that a user has set; null for the platform's default name. */
  rdns: string | null;
}

/**
 * The position up to which a range of addresses, such as the public addresses of a region, was allocated. The next
 * allocation continues there, so that a released address is not reused soon.
 */
export interface AddressPoolRow {
  id: string;
  given: number;
}

/**
 * A stored address of a load balancer. It cannot be assigned to an instance or shared, and its reverse DNS name cannot
 * be changed.
 */
export interface BalancerAddressRow {
  /** The IP address, which is also the id of the row. */
  id: string;
  nodebalancer_id: number;
}

export const addressPool: Part<{
  addresses: AddressRow;
  addressPools: AddressPoolRow;
  balancerAddresses: BalancerAddressRow;
}> = {
  tables: {
    addresses: table<AddressRow>([], { refs: { compute_id: "instances", region: "regions" } }),
    addressPools: table<AddressPoolRow>(),
    balancerAddresses: table<BalancerAddressRow>([], { refs: { nodebalancer_id: "nodeBalancers" } }),
  },
};

export function addIPv4(world: World, compute: number, region: string, isPublic: boolean): Readonly<AddressRow> {
  return world.addresses.insert({
    id: isPublic ? nextPublic(world, region) : nextPrivate(world),
    compute_id: compute,
    region,
    type: "ipv4",
    public: isPublic,
    rdns: null,
  });
}

/** Adds the IPv6 address that an instance derives from the region's prefix (SLAAC). */
export function addSlaac(world: World, compute: number, region: string): Readonly<AddressRow> {
  const id = canonicalAddress(`${prefixOf(world, region)}:0:${hostPart(compute)}`) as string;
  return world.addresses.insert({ id, compute_id: compute, region, type: "ipv6", public: true, rdns: null });
}

/** Allocates the addresses of a load balancer, from the pools that are also used for the region's instances. */
export function addBalancerAddresses(world: World, balancer: number, region: string): { ipv4: string; ipv6: string } {
  const ipv4 = nextPublic(world, region);
  const ipv6 = canonicalAddress(`${prefixOf(world, region)}:1::${hex(balancer >> 16, 4)}:${hex(balancer & 0xffff, 4)}`);
  for (const id of [ipv4, ipv6 as string]) world.balancerAddresses.insert({ id, nodebalancer_id: balancer });
  return { ipv4, ipv6: ipv6 as string };
}

/** The prefix of all IPv6 addresses of a region. Each kind of address has a range of its own within the prefix. */
export const prefixOf = (world: World, region: string): string =>
  `2001:db8:${(0x1000 + regionIndex(world, region)).toString(16)}`;

export function addressRecord({ id, compute_id, region, type, rdns, ...row }: Readonly<AddressRow>): IPAddress {
  const network =
    type === "ipv6"
      ? ipv6Network
      : row.public
        ? { gateway: id.replace(/\d+$/, "1"), subnet_mask: "255.255.255.0", prefix: 24 }
        : { gateway: null, subnet_mask: "255.255.128.0", prefix: 17 };
  const name = rdns ?? `${id.replace(/[.:]+/g, "-")}.ip.cloudinfra.example`;
  const isNamed = row.public && type === "ipv4";
  return { address: id, ...network, type, public: row.public, rdns: isNamed ? name : rdns, compute_id, region };
}

/** The link-local address of an instance. Every instance has one, so it is not stored. */
export const linkLocal = ({ id, region }: { id: number; region: string }): IPAddress => ({
  address: canonicalAddress(`fe80::${hostPart(id)}`) as string,
  ...ipv6Network,
  type: "ipv6",
  public: false,
  rdns: null,
  compute_id: id,
  region,
});

const ipv6Network = { gateway: "fe80::1", subnet_mask: "ffff:ffff:ffff:ffff::", prefix: 64 };

/** The interface identifier (lower 64 bits) of an instance's IPv6 addresses, as derived from a MAC address. */
const hostPart = (compute: number): string =>
  `f03c:91ff:fe${hex((compute >> 16) & 0xff, 2)}:${hex(compute & 0xffff, 4)}`;

const hex = (value: number, length: number): string => value.toString(16).padStart(length, "0");

/** Number of regions that can have IP address ranges of their own. */
const REGIONS = 64;
/** Usable addresses of each /24 network: all except the network address, the gateway and the broadcast address. */
const HOSTS = 253;

const regionIndex = (world: World, region: string): number =>
  Math.max(
    0,
    world.regions.all().findIndex(({ id }) => id === region),
  ) % REGIONS;

function nextPublic(world: World, region: string): string {
  const where = regionIndex(world, region);
  return draw(world, region, free(world, region, Number.POSITIVE_INFINITY, (at) => publicAddress(where, at)) as Free);
}

/**
 * The public address with the given index in a region. All addresses are from ranges that are never routed on the
 * internet: first from ranges for benchmarks (RFC 2544), then from reserved ranges (RFC 1112).
 */
function publicAddress(region: number, at: number): string {
  const block = region + REGIONS * Math.floor(at / HOSTS);
  const host = 2 + (at % HOSTS);
  if (block < 512) return `198.${18 + (block >> 8)}.${block & 0xff}.${host}`;
  const rest = block - 512;
  return `${240 + (rest >> 16)}.${(rest >> 8) & 0xff}.${rest & 0xff}.${host}`;
}

/** Number of private addresses: 192.168.128.0/17 without its network address and broadcast address. */
const PRIVATE = 2 ** 15 - 2;

const freePrivate = (world: World): Free | undefined =>
  free(world, "private", PRIVATE, (at) => {
    const offset = 1 + (at % PRIVATE);
    return `192.168.${128 + (offset >> 8)}.${offset & 0xff}`;
  });

export const privateLeft = (world: World): boolean => freePrivate(world) !== undefined;

function nextPrivate(world: World): string {
  const found = freePrivate(world);
  if (!found) throw new ErrorResponse(400, "All private addresses are in use; first delete an instance that has one");
  return draw(world, "private", found);
}

interface Free {
  id: string;
  at: number;
}

/**
 * The first free address at or after the position of the next allocation. Undefined if all `size` addresses are in use.
 */
function free(world: World, pool: string, size: number, address: (at: number) => string): Free | undefined {
  const from = world.addressPools.find(pool)?.given ?? hash(`${world.seed}/${pool}`) % 1000;
  for (let at = from; at < from + size; at++) {
    const id = address(at);
    if (!world.addresses.find(id) && !world.balancerAddresses.find(id)) return { id, at };
  }
  return undefined;
}

function draw(world: World, pool: string, { id, at }: Free): string {
  if (world.addressPools.find(pool)) world.addressPools.patch(pool, { given: at + 1 });
  else world.addressPools.insert({ id: pool, given: at + 1 });
  return id;
}

/** The index of the next allocation from a range in which indexes are never reused: 0, 1, 2 and so on. */
export function count(world: World, pool: string): number {
  const at = world.addressPools.find(pool)?.given ?? 0;
  draw(world, pool, { id: "", at });
  return at;
}

/** Releases an address, and ends its sharing with other instances. */
export function dropAddress(world: World, address: string): void {
  for (const { id } of world.addressShares.by("address", address)) world.addressShares.remove(id);
  world.addresses.remove(address);
}
