import type { Backup, Instance } from "../../api";
import type { Caller } from "../auth";
import type { Reasons } from "../refusal";
import { table } from "../store";
import { type Task, task } from "../tasks";
import type { World } from "../world";
import { addConfig, type InstanceConfigRow } from "./instance-configs";
import type { DiskRow } from "./instance-disks";
import type { InstanceRow } from "./instances";

/** A backup with all that it takes to restore it. */
export interface BackupRow extends Omit<Backup, "configs" | "disks"> {
  compute_id: number;
  image: string | null;
  disks: readonly Readonly<DiskRow>[];
  configs: readonly Readonly<InstanceConfigRow>[];
}

export const tables = { instanceBackups: table<BackupRow>([], { refs: { compute_id: "instances" } }) };

/** How many automatic backups are kept: the day's, the week's and the one of the week before. */
const KEPT = 3;
const DAY = 24 * 3600;

export const backupsOff: Instance["backups"] = { enabled: false, schedule: { day: null, window: null } };

/** Turns on the backup service: what the user does not choose of its times, the platform does. */
export function backupsOn(world: World, { id, backups: { schedule, ...backups } }: Readonly<InstanceRow>): void {
  const chosen = { day: schedule.day ?? "Scheduling", window: schedule.window ?? "Scheduling" } as const;
  world.instances.patch(id, { backups: { ...backups, enabled: true, schedule: chosen } });
  waitForWindow(world, id);
}

/** Deletes all backups of an instance, and makes no further ones. */
export function backupsGone(world: World, compute: number): void {
  for (const { id } of world.instanceBackups.by("compute_id", compute)) world.instanceBackups.remove(id);
  for (const { id, args } of world.schedule.timers.by("task", daily.name))
    if ((args as { id: number }).id === compute) world.schedule.cancel(id);
}

/** Copies the instance's disks and configs as they are now. */
export function takeBackup(world: World, instance: Readonly<InstanceRow>, label: string | null): Readonly<BackupRow> {
  return world.instanceBackups.insert({
    compute_id: instance.id,
    label,
    type: label === null ? "auto" : "snapshot",
    status: "running",
    image: instance.image,
    disks: world.disks.by("compute_id", instance.id),
    configs: world.instanceConfigs.by("compute_id", instance.id),
  });
}

/** Ends a backup well; a snapshot replaces the one before it (rule 9). */
export function endBackup(world: World, id: number): void {
  const finished = world.clock.time();
  const { compute_id, type } = world.instanceBackups.patch(id, { status: "successful", finished });
  const { backups } = world.instances.get(compute_id);
  world.instances.patch(compute_id, { backups: { ...backups, last_successful: finished } });
  const older = world.instanceBackups.by("compute_id", compute_id).filter((one) => one.type === type);
  for (const one of older.slice(0, -(type === "snapshot" ? 1 : KEPT))) world.instanceBackups.remove(one.id);
}

/** How many MB its disks take once they are restored. */
export const sizeOf = ({ disks }: Readonly<BackupRow>): number => disks.reduce((sum, { size }) => sum + size, 0);

/** The backup, if the caller may restore it to a place like that. */
export function backupOf(
  world: World,
  caller: Caller,
  id: number,
  room: { region: string; size: number },
  problems: Reasons,
): Readonly<BackupRow> | undefined {
  const backup = world.instanceBackups.find(id);
  if (!backup || !caller.may("compute", backup.compute_id, "read_only")) {
    problems.add(`There is no backup ${id}`, "backup_id");
    return undefined;
  }
  const { region } = world.instances.get(backup.compute_id);
  const size = sizeOf(backup);
  problems.require(backup.status === "successful", `Backup ${id} is ${backup.status}, not successful`, "backup_id");
  problems.require(room.region === region, `Must be ${region}, where backup ${id} is`, "region");
  problems.require(room.size >= size, `Has ${room.size} MB of disk; backup ${id} needs ${size} MB`, "type");
  return backup;
}

/** Puts the disks and configs of a backup onto an instance. Volumes are in no backup: their slots come back empty. */
export function putBack(
  world: World,
  instance: Readonly<InstanceRow>,
  { disks, configs, image }: Readonly<BackupRow>,
): void {
  const copies = new Map<number | null, number>();
  for (const { id, created: _, updated: __, ...disk } of disks) {
    const copy = world.disks.insert({ ...disk, compute_id: instance.id, status: "not ready" });
    copies.set(id, copy.id);
  }
  const added = configs.map(({ devices, ...config }) => {
    const slots = Object.entries(devices).map(([name, device]) => {
      return [name, { disk_id: copies.get(device?.disk_id ?? null) ?? null, volume_id: null }];
    });
    return addConfig(world, instance, { ...config, devices: Object.fromEntries(slots) });
  });
  const booted = instance.booted_config ?? added[0]?.id ?? null;
  world.instances.patch(instance.id, { image: instance.image ?? image, booted_config: booted });
}

/** The hour at which backups of the instance begin. */
const hourOf = ({ id, backups }: Readonly<InstanceRow>): number => {
  const { window } = backups.schedule;
  return window && window !== "Scheduling" ? Number(window.slice(1)) : (id % 12) * 2;
};

function waitForWindow(world: World, id: number): void {
  const now = Math.floor(world.clock.now() / 1000) % DAY;
  const wait = (hourOf(world.instances.get(id)) * 3600 - now + DAY - 1) % DAY;
  world.later(daily, { id }, wait + 1, { background: true });
}

/** The automatic backup of the day, as long as the service stays on; it disturbs nobody, so it is no job. */
const daily: Task<{ id: number }> = task("instanceBackups.daily", (world, { id }) => {
  const instance = world.instances.find(id);
  if (!instance) return;
  if (world.disks.by("compute_id", id).length > 0) endBackup(world, takeBackup(world, instance, null).id);
  waitForWindow(world, id);
});

export const tasks = [daily];
