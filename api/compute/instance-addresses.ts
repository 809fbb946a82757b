import { z } from "zod";
import { Address, AddressAllocation, AddressUpdate, IPAddress, IPv6Pool } from "../networking/addresses";
import { Empty } from "../schema/common";
import type { Area } from "../schema/operation";

export type InstanceAddresses = z.output<typeof InstanceAddresses>;
/** The addresses of an instance, grouped by IP version and kind. */
export const InstanceAddresses = z.strictObject({
  ipv4: z
    .strictObject({
      public: z.array(IPAddress).describe("Public IPv4 addresses of the instance."),
      private: z.array(IPAddress).describe("Private IPv4 address of the instance, if it has one."),
      shared: z
        .array(IPAddress)
        .describe("Addresses that are assigned to other instances and shared with this instance."),
      reserved: z.array(IPAddress).describe("IPv4 addresses reserved for the instance."),
    })
    .describe("IPv4 addresses."),
  ipv6: z
    .strictObject({
      link_local: IPAddress.nullable().describe("Link-local IPv6 address."),
      slaac: IPAddress.nullable().describe("Public IPv6 address of the instance (SLAAC)."),
      global: z.array(IPv6Pool).describe("IPv6 pools and ranges routed to the instance."),
    })
    .describe("IPv6 addresses."),
});

const all = "/compute/instances/{computeId}/ips";
const one = `${all}/{address}` as const;
const source = "part 1 · Endpoints · Compute instances";
const params = { address: Address };

export const instanceAddresses = {
  list: {
    summary: "List the addresses of an instance, grouped by IP version and kind.",
    method: "GET",
    path: all,
    scopes: ["computes:read_only"],
    grant: "read_only",
    result: InstanceAddresses,
    source,
  },
  allocate: {
    summary: "Add an IPv4 address to an instance. Additional public addresses are billed.",
    method: "POST",
    path: all,
    scopes: ["computes:read_write"],
    grant: "read_write",
    body: AddressAllocation,
    result: IPAddress,
    event: "compute_addip",
    source,
  },
  view: {
    summary: "View an address of an instance.",
    method: "GET",
    path: one,
    params,
    scopes: ["computes:read_only"],
    grant: "read_only",
    result: IPAddress,
    source,
  },
  update: {
    summary: "Update the reverse DNS name of an address.",
    method: "PUT",
    path: one,
    params,
    scopes: ["computes:read_write"],
    grant: "read_write",
    body: AddressUpdate,
    result: IPAddress,
    event: "ipaddress_update",
    source,
  },
  delete: {
    summary:
      "Remove a public IPv4 address from an instance. The last public address and private addresses cannot be removed.",
    method: "DELETE",
    path: one,
    params,
    scopes: ["computes:read_write"],
    grant: "read_write",
    result: Empty,
    event: "compute_deleteip",
    source,
  },
} satisfies Area;
