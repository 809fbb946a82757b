import { monitoredHost, reasons } from "../../../api";
import type { Reasons } from "../../core/error-response";
import type { World } from "../../core/world";
import { freeLabel } from "../../http/account-checks";
import { backupsOn, endBackup, takeBackup } from "../compute/backup-contents";
import { disksReady } from "../compute/disk-jobs";
import { addMachine } from "../compute/instance-create";
import { deploy } from "../compute/instance-deploy";
import { balancersOf } from "../load-balancers/node-balancers";

/** An instance of another account, with the properties that are preserved in a transfer. */
export interface Offered {
  id: number;
  label: string;
  region: string;
  type: string;
  /** The image that the instance was deployed from; null if it has no disks. */
  image: string | null;
  /** Whether the instance has a backup. A transfer of the instance includes the backup. */
  backups_enabled: boolean;
}

const SWAP = 512;
/**
 * Range of ids for instances of other accounts. The range is far above the ids of the account's own instances, so that
 * no id is used twice.
 */
const FOREIGN = { from: 10_000_000, count: 80_000_000 };

/** Unused ids for instances of another account. Instances keep their ids when they are transferred. */
export function foreignIds(world: World, count: number): readonly number[] {
  const reserved = new Set(world.transfers.all().flatMap(({ computes }) => computes));
  const ids = new Set<number>();
  while (ids.size < count) {
    const id = FOREIGN.from + world.random.below(FOREIGN.count);
    if (!reserved.has(id)) ids.add(id);
  }
  return [...ids];
}

/**
 * The reason why an instance cannot be transferred; undefined if it can. Instances with attached objects cannot be
 * transferred, because the objects would remain in this account.
 */
export function obstacle(world: World, id: number): string | undefined {
  const instance = world.instances.find(id);
  if (!instance) return `There is no instance ${id}`;
  const [node] = world.lkeNodes.by("instance_id", id);
  if (node) return `Instance ${id} is node ${node.id} of a cluster and cannot be transferred`;
  const [device] = world.firewallDevices.by("compute_id", id);
  if (device) return `Instance ${id} has the firewall ${device.firewall_id}; remove the firewall first`;
  const [volume] = world.volumes.by("compute_id", id);
  if (volume) return `Instance ${id} has the volume ${volume.id}; detach it first`;
  const [balancer] = balancersOf(world, id);
  if (balancer) return `Instance ${id} is a backend of the load balancer ${balancer.id}; remove the backend first`;
  const shared = world.addresses
    .by("compute_id", id)
    .flatMap((address) => world.addressShares.by("address", address.id));
  if (shared[0])
    return `Instance ${id} shares ${shared[0].address} with instance ${shared[0].compute_id}; end the sharing first`;
  const vlan = world.instanceConfigs
    .by("compute_id", id)
    .find(({ interfaces }) => interfaces.some(({ purpose }) => purpose === "vlan"));
  if (vlan) return `Instance ${id} has a VLAN in its config ${vlan.id}; remove it first`;
  const addresses = new Set(world.addresses.by("compute_id", id).map((address) => address.id));
  const service = world.managedServices.where(({ address }) => addresses.has(monitoredHost(address) ?? ""))[0];
  if (service) return `Instance ${id} is monitored by the managed service ${service.id}; delete the service first`;
  return undefined;
}

/** Rejects the request with the API's documented message if a job runs on one of the instances. */
export const requireIdle = (world: World, computes: readonly number[], problems: Reasons): void =>
  problems.addUnless(!computes.some((id) => world.jobs.busy(id)), reasons.busy);

/** Adds a transferred instance to this account, with its id, disks, config and backup. */
export function addOffered(world: World, { id, label, region, type, image, backups_enabled }: Offered): void {
  const status = image === null ? "offline" : "running";
  const instance = addMachine(world, { id, label: freeLabel(world.instances, label), region, type, status });
  if (image !== null) {
    deploy(world, instance, image, { swap_size: SWAP, interfaces: [] });
    disksReady(world, id);
  }
  if (!backups_enabled) return;
  backupsOn(world, world.instances.get(id));
  if (image !== null) endBackup(world, takeBackup(world, world.instances.get(id), null).id);
}
