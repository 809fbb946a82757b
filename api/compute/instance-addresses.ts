import { z } from "zod";
import { Address, AddressAllocation, AddressUpdate, IPAddress, IPv6Pool } from "../networking/addresses";
import { Empty } from "../schema/common";
import type { Area } from "../schema/operation";

export type InstanceAddresses = z.output<typeof InstanceAddresses>;
/** All addresses of an instance, by kind. */
export const InstanceAddresses = z.strictObject({
  ipv4: z.strictObject({
    public: z.array(IPAddress).describe("Its own public addresses."),
    private: z.array(IPAddress).describe("Its private address, if any."),
    shared: z.array(IPAddress).describe("Addresses of other instances that it may bring up."),
    reserved: z.array(IPAddress).describe("Addresses set aside for it."),
  }),
  ipv6: z.strictObject({
    link_local: IPAddress.nullable().describe("Address that reaches only the local network."),
    slaac: IPAddress.nullable().describe("The instance's own public IPv6 address."),
    global: z.array(IPv6Pool).describe("Pools that are routed to the instance."),
  }),
});

const all = "/compute/instances/{computeId}/ips";
const one = `${all}/{address}` as const;
const source = "part 1 · Endpoints · Compute instances";
const params = { address: Address };

export const instanceAddresses = {
  list: {
    summary: "List the addresses of an instance by kind.",
    method: "GET",
    path: all,
    scopes: ["computes:read_only"],
    grant: "read_only",
    result: InstanceAddresses,
    source,
  },
  allocate: {
    summary: "Add an IPv4 address to an instance; further public ones cost extra.",
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
    summary: "Change the name that a reverse lookup of an address gives.",
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
    summary: "Take a public IPv4 address from an instance, which keeps at least one; private ones stay.",
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
