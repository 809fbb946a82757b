import { type Disk, diskCreateRules, type EventEntity, type instanceDisks } from "../../api";
import { entity } from "../events";
import type { Handlers, Rules } from "../handlers";
import { notFound, Reasons, Refusal } from "../refusal";
import { table } from "../store";
import { type Task, task } from "../tasks";
import type { World } from "../world";
import { unplugDisk } from "./instance-configs";
import { checkDeployment, passwordDigest } from "./instance-deploy";
import { refuseStatus, refuseUnless } from "./instance-power";
import type { InstanceRow } from "./instances";

/** A disk, and what of it nobody is shown. */
export interface DiskRow extends Disk {
  compute_id: number;
  /** How many MB its data take: it can't be shrunk below. */
  used: number;
  /** Salted digest of the root password, where an image was deployed. */
  root_pass: string | null;
}

export const tables = { disks: table<DiskRow>() };

const CREATE_SECONDS = 10;
const PASSWORD_SECONDS = 10;
/** MB a second, when data are copied or moved. */
export const RATE = 140;

/** The disk is written, or its making failed and it is gone. */
const written = task<{ id: number }>("instanceDisks.written", (world, { id }, outcome) => {
  if (!world.disks.find(id)) return;
  if (outcome === "finished") world.disks.patch(id, { status: "ready" });
  else removeDisk(world, id);
});

/** The disk has its new size, or kept the old one. */
const resized = task<{ id: number; was: number }>("instanceDisks.resized", (world, { id, was }, outcome) => {
  if (world.disks.find(id)) world.disks.patch(id, { status: "ready", ...(outcome === "failed" && { size: was }) });
});

/** The password holds from now on. */
const passwordSet = task<{ id: number; digest: string }>(
  "instanceDisks.passwordSet",
  (world, { id, digest }, outcome) => {
    if (outcome === "finished" && world.disks.find(id)) world.disks.patch(id, { root_pass: digest });
  },
);

export const tasks = [passwordSet, resized, written];

export const rules: Rules<typeof instanceDisks> = { create: diskCreateRules };

export const handlers: Handlers<typeof instanceDisks> = {
  list: ({ world, path }) => world.disks.by("compute_id", world.instances.get(path.computeId).id),

  create({ world, caller, path, body }) {
    const instance = world.instances.get(path.computeId);
    refuseStatus(instance, "add disk");
    const problems = new Reasons();
    refuseNoRoom(world, instance, body.size, problems, "size");
    checkDeployment(world, caller, body, { size: body.size, field: "size" }, problems);
    problems.refuse();
    const image = body.image === undefined ? undefined : world.images.get(body.image);
    const { size, label = `${image?.label.slice(0, 43)} Disk`, filesystem = "ext4", root_pass } = body;
    const opaque = filesystem === "raw" || filesystem === "initrd";
    const disk = world.disks.insert({
      compute_id: instance.id,
      label,
      status: "not ready",
      size,
      filesystem,
      used: image?.size ?? (opaque ? size : 0),
      root_pass: image && root_pass !== undefined ? passwordDigest(world, root_pass) : null,
    });
    start(world, instance, disk, "disk_create", CREATE_SECONDS + disk.used / RATE, written, { id: disk.id });
    return disk;
  },

  view: ({ world, path }) => find(world, path).disk,

  update({ world, path, body, emit }) {
    const { instance, disk } = find(world, path);
    const changed = world.disks.patch(disk.id, body);
    emit(entity("compute", instance), { secondary_entity: about(changed) });
    return changed;
  },

  delete({ world, path, emit }) {
    const { instance, disk } = find(world, path);
    refuseUnless(world, instance, "change disk");
    removeDisk(world, disk.id);
    emit(entity("compute", instance), { secondary_entity: about(disk) });
    return {};
  },

  clone({ world, path }) {
    const { instance, disk } = find(world, path);
    refuseStatus(instance, "add disk");
    refuseUnready(disk);
    const problems = new Reasons();
    refuseNoRoom(world, instance, disk.size, problems);
    problems.refuse();
    const { size, filesystem, used, root_pass, compute_id } = disk;
    const label = `Copy of ${disk.label.slice(0, 40)}`;
    const copy = world.disks.insert({ label, size, filesystem, used, root_pass, compute_id, status: "not ready" });
    start(world, instance, copy, "disk_duplicate", CREATE_SECONDS + used / RATE, written, { id: copy.id });
    return copy;
  },

  resetPassword({ world, path, body }) {
    const { instance, disk } = find(world, path);
    refuseUnless(world, instance, "change disk");
    startPassword(world, instance, disk, body.password);
    return {};
  },

  resize({ world, path, body }) {
    const { instance, disk } = find(world, path);
    refuseUnless(world, instance, "change disk");
    refuseUnready(disk);
    const problems = new Reasons();
    const { size: was, used } = disk;
    problems.require(body.size >= used, `Must be at least ${used}: the data on the disk take as much`, "size");
    refuseNoRoom(world, instance, body.size - was, problems, "size");
    problems.refuse();
    const changed = world.disks.patch(disk.id, { size: body.size, status: "not ready" });
    start(world, instance, changed, "disk_resize", CREATE_SECONDS + used / RATE, resized, { id: disk.id, was });
    return {};
  },
};

/** Sets the root password on a disk, which takes a moment. */
export function startPassword(
  world: World,
  instance: Readonly<InstanceRow>,
  disk: Readonly<DiskRow>,
  password: string,
): void {
  refuseUnready(disk);
  if (disk.root_pass === null) throw new Refusal(400, `Disk ${disk.id} has no system with a root password on it`);
  const digest = passwordDigest(world, password);
  start(world, instance, disk, "password_reset", PASSWORD_SECONDS, passwordSet, { id: disk.id, digest });
}

/** How many MB the instance's disks take. */
export const diskSpace = (world: World, compute: number): number =>
  world.disks.by("compute_id", compute).reduce((sum, { size }) => sum + size, 0);

/** Makes all disks of an instance ready: the job that wrote them is done. */
export function disksReady(world: World, compute: number): void {
  for (const { id } of world.disks.by("compute_id", compute)) world.disks.patch(id, { status: "ready" });
}

/** Removes a disk, and empties the slots of the configs that it was in. */
export function removeDisk(world: World, id: number): void {
  unplugDisk(world, world.disks.remove(id));
}

function refuseNoRoom(
  world: World,
  { id, specs }: Readonly<InstanceRow>,
  more: number,
  problems: Reasons,
  field?: string,
): void {
  const free = specs.disk - diskSpace(world, id);
  problems.require(more <= free, `Takes ${more} MB more; the instance has ${free} of its ${specs.disk} MB left`, field);
}

function refuseUnready({ id, status }: Readonly<DiskRow>): void {
  if (status !== "ready") throw new Refusal(400, `Disk ${id} is ${status}`);
}

function find(world: World, { computeId, diskId }: { computeId: number; diskId: number }) {
  const instance = world.instances.get(computeId);
  const disk = world.disks.get(diskId);
  if (disk.compute_id !== instance.id) throw notFound();
  return { instance, disk };
}

const about = ({ id, label, compute_id }: Readonly<DiskRow>): EventEntity => ({
  id,
  label,
  type: "disks",
  url: `/v4/compute/instances/${compute_id}/disks/${id}`,
});

function start<A>(
  world: World,
  instance: Readonly<InstanceRow>,
  disk: Readonly<DiskRow>,
  action: "disk_create" | "disk_duplicate" | "disk_resize" | "password_reset",
  seconds: number,
  done: Task<A>,
  args: NoInfer<A>,
): void {
  world.jobs.start({
    entity: entity("compute", instance),
    secondary: about(disk),
    action,
    seconds,
    compute: instance.id,
    task: done,
    args,
  });
}
