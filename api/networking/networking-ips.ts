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

/** Rule for requests that assign several addresses: each address can be assigned once. */
export const assignRules: Rule<{ assignments: readonly { address: string }[] }>[] = [
  {
    reads: ["assignments"],
    *check({ assignments }) {
      const named = new Set<string>();
      for (const [at, { address }] of assignments.entries()) {
        if (named.has(address))
          yield { field: `assignments.${at}.address`, reason: `must not be listed twice: ${address}` };
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
      "The list contains the public IPv4 addresses and the SLAAC addresses of the instances that the user has access to, but not the addresses of load balancers.",
    ],
    source,
  },
  allocate: {
    summary:
      "Add an IPv4 address to an instance. Requires approval by support. Additional public addresses are billed.",
    method: "POST",
    path: all,
    scopes: ["ips:read_write", "computes:read_write"],
    grant: "read_write",
    body: AddressAllocation.extend({ compute_id: Id.describe("Instance to assign the address to.") }),
    result: IPAddress,
    event: "compute_addip",
    decided: ["The first private address of an instance requires no approval. A second one is rejected."],
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
    summary: "Update the reverse DNS name of an address.",
    method: "PUT",
    path: one,
    params,
    scopes: ["ips:read_write"],
    grant: "read_write",
    body: AddressUpdate,
    result: IPAddress,
    event: "ipaddress_update",
    decided: [
      "If the domain of the name is on the account, it must have an A or AAAA record that maps the name to the address. Names in other domains are not checked.",
    ],
    source,
  },
  assign: {
    summary: "Move IPv4 addresses between instances of a region in one step.",
    method: "POST",
    path: "/networking/ipv4/assign",
    scopes: ["ips:read_write", "computes:read_write"],
    grant: "read_write",
    body: z.strictObject({
      region: RegionId.describe("Region of the addresses and of the instances. All must be in the same region."),
      assignments: z
        .array(z.strictObject({ address: IPv4Address, compute_id: Id.describe("Instance to assign the address to.") }))
        .min(1)
        .describe("Addresses with the instances to assign them to."),
    }),
    result: Empty,
    event: "ipaddress_update",
    decided: [
      "Each address causes a separate event.",
      "A moved address keeps its reverse DNS name and stays shared with the same instances.",
    ],
    source,
  },
  share: {
    summary: "Share addresses of other instances with an instance. Replaces the addresses shared with it before.",
    method: "POST",
    path: "/networking/ipv4/share",
    scopes: ["ips:read_write", "computes:read_write"],
    grant: "read_write",
    body: z.strictObject({
      compute_id: Id.describe("Instance to share the addresses with."),
      ips: z
        .array(IPv4Address)
        .describe("All addresses shared with the instance. With an empty list, none are shared with it."),
    }),
    result: Empty,
    decided: [
      "The list replaces the addresses that were shared with the instance before.",
      "A restricted user requires read_write on the instance and on the instances that hold the addresses.",
    ],
    source,
  },
} satisfies Area;
