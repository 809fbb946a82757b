import type { World } from "../world";
import { removeNodesOf } from "./node-balancer-nodes";
import { leaveVlans } from "./vlans";

/** Takes everything off the network that an instance, about to be removed, has there. */
export function leaveNetwork(world: World, computeId: number): void {
  removeNodesOf(world, computeId);
  leaveVlans(world, computeId);
  for (const { id } of world.addressShares.by("compute_id", computeId)) world.addressShares.remove(id);
  for (const { id } of world.ipv6Ranges.by("compute_id", computeId)) world.ipv6Ranges.remove(id);
  for (const { id } of world.addresses.by("compute_id", computeId)) dropAddress(world, id);
}

/** Gives an address back; nobody shares it any more. */
export function dropAddress(world: World, address: string): void {
  for (const { id } of world.addressShares.by("address", address)) world.addressShares.remove(id);
  world.addresses.remove(address);
}
