import type { SecondaryEntity } from "../../../api";
import { ErrorResponse } from "../../core/error-response";
import { entity } from "../../core/events";
import type { RowOf } from "../../core/store";
import { type Task, task, type World } from "../../core/world";
import { loseCapture } from "../storage/image-origins";
import { unplugDisk } from "./instance-configs";
import { passwordDigest } from "./instance-deploy";

const DISK_SECONDS = 10;
const DELETE_SECONDS = 5;
const PASSWORD_SECONDS = 10;
/** Megabytes that a job copies per second, from which its duration is calculated. */
export const RATE = 140;

/** Runs when the job that writes a disk has ended. The disk becomes ready, or is deleted if the job failed. */
const written = task<{ id: number }>("instanceDisks.written", (world, { id }, outcome) => {
  if (!world.disks.find(id)) return;
  if (outcome === "finished") world.disks.patch(id, { status: "ready" });
  else removeDisk(world, id);
});

/** Runs when the job that resizes a disk has ended. If the job failed, the disk gets its old size back. */
const resized = task<{ id: number; was: number }>("instanceDisks.resized", (world, { id, was }, outcome) => {
  if (world.disks.find(id)) world.disks.patch(id, { status: "ready", ...(outcome === "failed" && { size: was }) });
});

/** Runs when the job that deletes a disk has ended. If the job failed, the disk is ready again. */
const deleted = task<{ id: number }>("instanceDisks.deleted", (world, { id }, outcome) => {
  if (!world.disks.find(id)) return;
  if (outcome === "finished") removeDisk(world, id);
  else world.disks.patch(id, { status: "ready" });
});

/** Runs when the job that sets a root password has ended. Stores the password's digest. */
const passwordSet = task<{ id: number; digest: string }>(
  "instanceDisks.passwordSet",
  (world, { id, digest }, outcome) => {
    if (outcome === "finished" && world.disks.find(id)) world.disks.patch(id, { root_pass: digest });
  },
);

export const diskTasks = [deleted, passwordSet, resized, written];

export function startWriting(world: World, instance: RowOf<"instances">, disk: RowOf<"disks">): void {
  start(world, instance, disk, "disk_create", copying(disk), written, { id: disk.id });
}

export function startCopy(world: World, instance: RowOf<"instances">, disk: RowOf<"disks">): void {
  start(world, instance, disk, "disk_duplicate", copying(disk), written, { id: disk.id });
}

/**
 * Starts the job that resizes a disk. The disk's row already contains the new size. If the job fails, the old size
 * `was` is restored.
 */
export function startResize(world: World, instance: RowOf<"instances">, disk: RowOf<"disks">, was: number): void {
  start(world, instance, disk, "disk_resize", copying(disk), resized, { id: disk.id, was: was });
}

/** Starts the job that deletes a disk. Until it ends, the disk keeps its space and its slots in configs. */
export function startDeletion(world: World, instance: RowOf<"instances">, disk: RowOf<"disks">): void {
  start(world, instance, disk, "disk_delete", DELETE_SECONDS, deleted, { id: disk.id });
}

const copying = ({ used }: RowOf<"disks">): number => DISK_SECONDS + used / RATE;

export function startPassword(
  world: World,
  instance: RowOf<"instances">,
  disk: RowOf<"disks">,
  password: string,
): void {
  rejectUnready(disk);
  if (disk.root_pass === null)
    throw new ErrorResponse(400, `Disk ${disk.id} does not contain a system with a root password`);
  const digest = passwordDigest(world, password);
  start(world, instance, disk, "password_reset", PASSWORD_SECONDS, passwordSet, { id: disk.id, digest });
}

export function disksReady(world: World, compute: number): void {
  for (const { id } of world.disks.by("compute_id", compute)) world.disks.patch(id, { status: "ready" });
}

/** Deletes a disk, removes it from the configs of its instance, and cancels the capture of an image from it. */
export function removeDisk(world: World, id: number): void {
  unplugDisk(world, world.disks.remove(id));
  loseCapture(world, id);
}

export function rejectUnready({ id, status }: RowOf<"disks">): void {
  if (status !== "ready") throw new ErrorResponse(400, `Disk ${id} must be ready: its status is "${status}"`);
}

export const diskEntity = ({ id, label, compute_id }: RowOf<"disks">): SecondaryEntity<"disk"> => ({
  id,
  label,
  type: "disk",
  url: `/v4/compute/instances/${compute_id}/disks/${id}`,
});

function start<A>(
  world: World,
  instance: RowOf<"instances">,
  disk: RowOf<"disks">,
  action: "disk_create" | "disk_delete" | "disk_duplicate" | "disk_resize" | "password_reset",
  seconds: number,
  done: Task<A>,
  args: NoInfer<A>,
): void {
  world.jobs.start({
    entity: entity("compute", instance),
    secondary: diskEntity(disk),
    action,
    seconds,
    compute: instance.id,
    task: done,
    args,
  });
}
