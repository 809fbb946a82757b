import { Disk, diskCreateRules } from "../../../api";
import { notFound, Reasons } from "../../core/error-response";
import { entity } from "../../core/events";
import { type RowOf, table } from "../../core/store";
import type { World } from "../../core/world";
import type { AreaModule } from "../../http/handlers";
import { filesystemOf } from "../storage/image-origins";
import {
  diskEntity,
  diskTasks,
  rejectUnready,
  startCopy,
  startDeletion,
  startPassword,
  startResize,
  startWriting,
} from "./disk-jobs";
import { checkDeployment, passwordDigest } from "./instance-deploy";
import { off, requireStatus, settled } from "./instance-power";

export interface DiskRow extends Disk {
  compute_id: number;
  /** Size of the data on the disk in MB. The disk cannot be resized below it. */
  used: number;
  /** Salted digest of the root password. Null unless an image was deployed to the disk. */
  root_pass: string | null;
}

export const instanceDisks: AreaModule<"instanceDisks", { disks: DiskRow }> = {
  tables: { disks: table<DiskRow>([], { refs: { compute_id: "instances" }, shape: Disk }) },
  tasks: diskTasks,
  rules: { create: diskCreateRules },
  handlers: {
    list: ({ world, path }) => world.disks.by("compute_id", world.instances.get(path.computeId).id),

    create({ world, path, body }) {
      const instance = world.instances.get(path.computeId);
      requireStatus(instance, settled);
      const problems = new Reasons();
      rejectNoRoom(world, instance, body.size, problems, "size");
      checkDeployment(world, body, { size: body.size, field: "size" }, problems);
      problems.throwIfAny();
      const image = body.image === undefined ? undefined : world.images.get(body.image);
      const { size, label = `${image?.label.slice(0, 43)} Disk`, root_pass } = body;
      const filesystem = body.filesystem ?? (image ? filesystemOf(world, image.id) : "ext4");
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
      startWriting(world, instance, disk);
      return disk;
    },

    view: ({ world, path }) => find(world, path).disk,

    update({ world, path, body: { label }, emit }) {
      const { instance, disk } = find(world, path);
      const changed = world.disks.patch(disk.id, { label });
      emit(entity("compute", instance), { secondary_entity: diskEntity(changed) });
      return changed;
    },

    delete({ world, path }) {
      const { instance, disk } = find(world, path);
      requireStatus(instance, off);
      startDeletion(world, instance, world.disks.patch(disk.id, { status: "deleting" }));
      return {};
    },

    clone({ world, path }) {
      const { instance, disk } = find(world, path);
      requireStatus(instance, settled);
      rejectUnready(disk);
      const problems = new Reasons();
      rejectNoRoom(world, instance, disk.size, problems);
      problems.throwIfAny();
      const { size, filesystem, used, root_pass, compute_id } = disk;
      const label = `Copy of ${disk.label.slice(0, 40)}`;
      const copy = world.disks.insert({ label, size, filesystem, used, root_pass, compute_id, status: "not ready" });
      startCopy(world, instance, copy);
      return copy;
    },

    resetPassword({ world, path, body }) {
      const { instance, disk } = find(world, path);
      requireStatus(instance, off);
      startPassword(world, instance, disk, body.password);
      return {};
    },

    resize({ world, path, body }) {
      const { instance, disk } = find(world, path);
      requireStatus(instance, inUse(world, instance, disk.id) ? off : settled);
      rejectUnready(disk);
      const problems = new Reasons();
      const { size: oldSize, used } = disk;
      problems.addUnless(body.size >= used, `Must be at least ${used}, the size of the data on the disk`, "size");
      rejectNoRoom(world, instance, body.size - oldSize, problems, "size");
      problems.throwIfAny();
      const changed = world.disks.patch(disk.id, { size: body.size, status: "not ready" });
      startResize(world, instance, changed, oldSize);
      return {};
    },
  },
};

/**
 * Whether the running instance uses the disk. Normally it uses the disks of the booted config. In rescue mode, or if
 * the booted config was deleted, it uses all of its disks.
 */
function inUse(world: World, { booted_config, rescue }: RowOf<"instances">, disk: number): boolean {
  const config = rescue ? undefined : world.instanceConfigs.find(booted_config);
  return !config || Object.values(config.devices).some((device) => device?.disk_id === disk);
}

export const diskSpace = (world: World, compute: number): number =>
  world.disks.by("compute_id", compute).reduce((sum, { size }) => sum + size, 0);

function rejectNoRoom(
  world: World,
  { id, specs }: RowOf<"instances">,
  more: number,
  problems: Reasons,
  field?: string,
): void {
  const free = specs.disk - diskSpace(world, id);
  problems.addUnless(
    more <= free,
    `Requires ${more} MB more, but only ${free} of the ${specs.disk} MB of the instance are free`,
    field,
  );
}

function find(world: World, { computeId, diskId }: { computeId: number; diskId: number }) {
  const instance = world.instances.get(computeId);
  const disk = world.disks.get(diskId);
  if (disk.compute_id !== instance.id) throw notFound();
  return { instance, disk };
}
