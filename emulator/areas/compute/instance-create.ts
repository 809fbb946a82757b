import { type InstanceCreate, initialAlerts } from "../../../api";
import type { Reasons } from "../../core/error-response";
import { entity, imageNamed } from "../../core/events";
import type { RowOf } from "../../core/store";
import { task, type World } from "../../core/world";
import { allowedTags, freeLabel, requireFreeLabel } from "../../http/account-checks";
import type { Caller } from "../../http/auth";
import { addIPv4, addSlaac, privateLeft } from "../networking/address-pool";
import { backupOf, backupsOff, backupsOn, putBack } from "./backup-contents";
import { disksReady } from "./disk-jobs";
import { checkVlans } from "./instance-configs";
import { checkDeployment, deploy } from "./instance-deploy";
import { arrive, queueBoot } from "./instance-power";
import { checkRegion } from "./regions";

const CREATE_SECONDS = 20;

/**
 * The properties of a new instance without disks. `id` is set only for an instance that is transferred from another
 * account, because its id must not change.
 */
type MachineWanted = Partial<Pick<RowOf<"instances">, "id">> &
  Pick<RowOf<"instances">, "region" | "type" | "status"> &
  Partial<Pick<InstanceCreate, "label" | "group" | "tags" | "private_ip">>;

/**
 * Checks the parts of a create request that depend on existing objects, such as a label that must be unique. All other
 * parts are validated with the schemas and rules in `api/`.
 */
export function checkCreate(world: World, caller: Caller, body: InstanceCreate, problems: Reasons): void {
  const { label, backup_id: backup, region } = body;
  const { disk } = world.types.get(body.type);
  checkRegion(world, region, "Computes", problems, "region");
  allowedTags(caller, body.tags, []);
  if (label !== undefined) requireFreeLabel(world.instances, problems, label);
  checkVlans(world, region, body.interfaces, problems);
  problems.addUnless(
    !body.private_ip || privateLeft(world),
    "All private addresses are in use; first delete an instance that has one",
    "private_ip",
  );
  const swap = body.swap_size;
  const room = { size: disk - swap, field: swap > 512 ? "swap_size" : "type" };
  checkDeployment(world, body, room, problems);
  if (backup !== undefined) backupOf(world, caller, backup, { region, size: disk }, problems);
}

/** Creates an instance. Jobs then write its disks and boot it. */
export function addInstance(world: World, body: InstanceCreate): RowOf<"instances"> {
  const { image, backup_id: backup, booted: boot, root_pass, swap_size, interfaces = [] } = body;
  const empty = image === undefined && backup === undefined;
  const instance = addMachine(world, { ...body, status: empty ? "offline" : "provisioning" });
  const { id } = instance;
  const about = entity("compute", instance);
  if (body.backups_enabled) backupsOn(world, instance);
  if (image !== undefined) deploy(world, instance, image, { root_pass, swap_size, interfaces });
  if (backup !== undefined) putBack(world, instance, world.instanceBackups.get(backup));
  if (empty) world.events.add("compute_create", about);
  else {
    const args = { id, boot };
    world.jobs.start({
      entity: about,
      secondary: image === undefined ? undefined : imageNamed(world.images.get(image)),
      action: "compute_create",
      seconds: CREATE_SECONDS,
      compute: id,
      task: creationEnd,
      args,
    });
    if (boot) queueBoot(world, instance);
  }
  return world.instances.get(id);
}

/** Adds an instance without disks, with its addresses. Also used for the instances of Kubernetes nodes. */
export function addMachine(world: World, wanted: MachineWanted): RowOf<"instances"> {
  const { region, type, status } = wanted;
  const { disk, memory, vcpus, transfer } = world.types.get(type);
  const { id } = world.instances.insert({
    ...(wanted.id !== undefined && { id: wanted.id }),
    label: wanted.label ?? "",
    group: wanted.group ?? "",
    status,
    type,
    region,
    image: null,
    hypervisor: "kvm",
    ipv4: [],
    ipv6: null,
    specs: { disk, memory, vcpus, transfer },
    alerts: initialAlerts(vcpus),
    backups: backupsOff,
    tags: wanted.tags ?? [],
    watchdog_enabled: true,
  });
  const ipv4 = [addIPv4(world, id, region, true).id];
  if (wanted.private_ip) ipv4.push(addIPv4(world, id, region, false).id);
  return world.instances.patch(id, {
    label: wanted.label ?? freeLabel(world.instances, `compute${id}`),
    ipv4,
    ipv6: `${addSlaac(world, id, region).id}/128`,
  });
}

/** Runs when the job that deploys an instance has ended. If the job failed, the instance stays powered off. */
const creationEnd = task<{ id: number; boot: boolean }>("instances.made", (world, { id, boot }, outcome) => {
  disksReady(world, id);
  arrive(world, { id, to: boot ? "booting" : "offline", from: "offline" }, outcome);
});

export const createTasks = [creationEnd];
