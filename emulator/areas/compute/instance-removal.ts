import type { World } from "../../core/world";
import { removeNodesOf } from "../load-balancers/node-balancer-backends";
import { forgetSettings } from "../managed/managed-compute-settings";
import { dropAddress } from "../networking/address-pool";
import { unassign } from "../networking/firewall-devices";
import { detachVolume } from "../storage/volume-devices";
import { backupsDeleted } from "./backup-contents";
import { wipe } from "./instance-backups";
import { leaveVlans } from "./instance-vlans";

/**
 * Removes an instance that was deleted or transferred to another account, with everything that belongs to it (API
 * documentation, part 1 · Endpoints · Compute instances · rule 8). Its volumes and firewalls are kept.
 */
export function removeInstance(world: World, id: number): void {
  world.jobs.drop(id);
  unassign(world, id);
  leaveVlans(world, id);
  for (const volume of world.volumes.by("compute_id", id)) detachVolume(world, volume.id);
  wipe(world, id);
  backupsDeleted(world, id);
  releaseAddresses(world, id);
  forgetSettings(world, id);
  world.instances.remove(id);
}

/** Releases the addresses and routes of an instance that is deleted or moved to another region. */
export function releaseAddresses(world: World, id: number): void {
  dropAddresses(world, id);
  world.instances.patch(id, { ipv4: [], ipv6: null });
}

function dropAddresses(world: World, computeId: number): void {
  removeNodesOf(world, computeId);
  for (const { id } of world.addressShares.by("compute_id", computeId)) world.addressShares.remove(id);
  for (const { id } of world.ipv6Ranges.by("compute_id", computeId)) world.ipv6Ranges.remove(id);
  for (const { id } of world.addresses.by("compute_id", computeId)) dropAddress(world, id);
}
