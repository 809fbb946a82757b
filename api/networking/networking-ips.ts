import { z } from "zod";
import { Empty, Id, Paging, page, RegionId } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";
import { Address, AddressAllocation, AddressUpdate, addressKind, IPAddress } from "./addresses";

const IPv4Address = z
  .string()
  .refine((text) => addressKind(text) === "ipv4", "must be an IPv4 address")
  .describe("IPv4 address of an instance of the account.");

const all = "/networking/ips";
const one = `${all}/{address}` as const;
const source = "part 3 · Endpoints · IP addresses and VLANs";
const params = { address: Address };

/** What several assignments say together. */
export const assignRules: Rule<{ assignments: readonly { address: string }[] }>[] = [
  {
    reads: ["assignments"],
    *check({ assignments }) {
      const named = new Set<string>();
      for (const [at, { address }] of assignments.entries()) {
        if (named.has(address)) yield { field: `assignments.${at}.address`, reason: "is assigned twice" };
        named.add(address);
      }
    },
    source,
  },
];

export const networkingIps = {
  list: {
    summary: "List the public addresses of all instances.",
    method: "GET",
    path: all,
    scopes: ["ips:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(IPAddress),
    decided: [
      "The list holds the public IPv4 addresses and the own IPv6 addresses of the instances that the user may see; load balancers show theirs themselves.",
    ],
    source,
  },
  allocate: {
    summary: "Add an IPv4 address to an instance that support has enabled for it; further public ones cost extra.",
    method: "POST",
    path: all,
    scopes: ["ips:read_write", "computes:read_write"],
    grant: "read_write",
    body: AddressAllocation.extend({ compute_id: Id.describe("Instance that gets the address.") }),
    result: IPAddress,
    event: "compute_addip",
    decided: ["The first private address of an instance needs no support request; a second one is refused."],
    source,
  },
  view: {
    summary: "View an address of any instance.",
    method: "GET",
    path: one,
    params,
    scopes: ["ips:read_only"],
    grant: "read_only",
    result: IPAddress,
    source,
  },
  update: {
    summary: "Change the name that a reverse lookup of an address gives.",
    method: "PUT",
    path: one,
    params,
    scopes: ["ips:read_write"],
    grant: "read_write",
    body: AddressUpdate,
    result: IPAddress,
    event: "ipaddress_update",
    decided: [
      "If the domain of the name is on the account, it must have an A or AAAA record of that name with the address; names of other domains are taken as they are.",
    ],
    source,
  },
  assign: {
    summary: "Move IPv4 addresses between instances of a region, all in one step.",
    method: "POST",
    path: "/networking/ipv4/assign",
    scopes: ["ips:read_write", "computes:read_write"],
    grant: "read_write",
    body: z.strictObject({
      region: RegionId.describe("Region that all the addresses and instances are in."),
      assignments: z
        .array(z.strictObject({ address: IPv4Address, compute_id: Id.describe("Instance that gets the address.") }))
        .min(1)
        .describe("Which instance is to hold each address."),
    }),
    result: Empty,
    event: "ipaddress_update",
    decided: [
      "Each address that is named is told of by an event of its own.",
      "An address that moves keeps its reverse name and stays shared with whom it was shared.",
    ],
    source,
  },
  share: {
    summary: "Say which addresses of other instances an instance may bring up as well.",
    method: "POST",
    path: "/networking/ipv4/share",
    scopes: ["ips:read_write", "computes:read_write"],
    grant: "read_write",
    body: z.strictObject({
      compute_id: Id.describe("Instance that may bring the addresses up."),
      ips: z.array(IPv4Address).describe("All addresses that are shared with it; an empty list ends all sharing."),
    }),
    result: Empty,
    decided: [
      "The list replaces what was shared with the instance before.",
      "A restricted user needs read_write on the instance and on those that hold the addresses.",
    ],
    source,
  },
} satisfies Area;
