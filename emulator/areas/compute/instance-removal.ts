import type { World } from "../../core/world";
import { removeNodesOf } from "../load-balancers/node-balancer-backends";
import { forgetSettings } from "../managed/managed-compute-settings";
import { dropAddress } from "../networking/address-pool";
import { unassign } from "../networking/firewall-devices";
import { detachVolume } from "../storage/volume-devices";
import { backupsGone } from "./backup-contents";
import { wipe } from "./instance-backups";
import { leaveVlans } from "./instance-vlans";

/**
 * Removes an instance at once, with all that is its own (part 1 · Endpoints · Compute instances · rule 8): deleting it
 * ends so, and so does handing it to another account. Its volumes and firewalls stay.
 */
export function removeInstance(world: World, id: number): void {
  world.jobs.drop(id);
  unassign(world, id);
  leaveVlans(world, id);
  for (const volume of world.volumes.by("compute_id", id)) detachVolume(world, volume.id);
  wipe(world, id);
  backupsGone(world, id);
  releaseAddresses(world, id);
  forgetSettings(world, id);
  world.instances.remove(id);
}

/** The instance gives up its addresses, and what is routed to them: when it goes, and when it moves to another region. */
export function releaseAddresses(world: World, id: number): void {
  dropAddresses(world, id);
  world.instances.patch(id, { ipv4: [], ipv6: null });
}

/** Gives back all addresses of an instance, with everything that others made of them. */
function dropAddresses(world: World, computeId: number): void {
  removeNodesOf(world, computeId);
  for (const { id } of world.addressShares.by("compute_id", computeId)) world.addressShares.remove(id);
  for (const { id } of world.ipv6Ranges.by("compute_id", computeId)) world.ipv6Ranges.remove(id);
  for (const { id } of world.addresses.by("compute_id", computeId)) dropAddress(world, id);
}
