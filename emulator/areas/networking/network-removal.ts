import type { World } from "../../core/world";
import { removeNodesOf } from "../load-balancers/node-balancer-backends";

/** Gives back all addresses of an instance, with everything that others made of them. */
export function dropAddresses(world: World, computeId: number): void {
  removeNodesOf(world, computeId);
  for (const { id } of world.addressShares.by("compute_id", computeId)) world.addressShares.remove(id);
  for (const { id } of world.ipv6Ranges.by("compute_id", computeId)) world.ipv6Ranges.remove(id);
  for (const { id } of world.addresses.by("compute_id", computeId)) dropAddress(world, id);
}

/** Gives an address back; nobody shares it any more. */
export function dropAddress(world: World, address: string): void {
  for (const { id } of world.addressShares.by("address", address)) world.addressShares.remove(id);
  world.addresses.remove(address);
}
