import type { Backup, Instance } from "../../../api";
import type { Reasons } from "../../core/error-response";
import { type RowOf, table } from "../../core/store";
import { type Task, task, type World } from "../../core/world";
import type { Caller } from "../../http/auth";
import type { Part } from "../../http/handlers";
import { addConfig } from "./instance-configs";

/** A stored backup, with the disks and configs that a restore needs. */
export interface BackupRow extends Omit<Backup, "configs" | "disks"> {
  compute_id: number;
  image: string | null;
  disks: readonly RowOf<"disks">[];
  configs: readonly RowOf<"instanceConfigs">[];
}

/** Number of weekly backups kept in addition to the daily one. */
const WEEKS = 2;
const DAY = 24 * 3600;

export const backupsOff: Instance["backups"] = {
  enabled: false,
  last_successful: null,
  schedule: { day: null, window: null },
};

/** Enables backups. The platform chooses the schedule unless the user has set one. */
export function backupsOn(world: World, { id, backups: { schedule, ...backups } }: RowOf<"instances">): void {
  const chosen = { day: schedule.day ?? "Scheduling", window: schedule.window ?? "Scheduling" } as const;
  world.instances.patch(id, { backups: { ...backups, enabled: true, schedule: chosen } });
  waitForWindow(world, id);
}

export function backupsDeleted(world: World, compute: number): void {
  backupsLost(world, compute);
  cancelTimer(world, compute);
}

/** Deletes all backups of an instance. The backup service stays enabled. */
export function backupsLost(world: World, compute: number): void {
  for (const { id } of world.instanceBackups.by("compute_id", compute)) world.instanceBackups.remove(id);
  const { backups } = world.instances.get(compute);
  world.instances.patch(compute, { backups: { ...backups, last_successful: null } });
}

export function takeBackup(world: World, instance: RowOf<"instances">, label: string | null): Readonly<BackupRow> {
  return world.instanceBackups.insert({
    compute_id: instance.id,
    label,
    type: label === null ? "auto" : "snapshot",
    status: "pending",
    finished: null,
    image: instance.image,
    disks: world.disks.by("compute_id", instance.id),
    configs: world.instanceConfigs.by("compute_id", instance.id),
  });
}

/**
 * Marks a backup as successful, and deletes the backups that it replaces. An instance has at most one snapshot, which
 * is a backup that a user requested (API documentation, part 1 · Endpoints · Compute instances · rule 9).
 */
export function endBackup(world: World, id: number): void {
  const finished = world.clock.time();
  const { compute_id, type } = world.instanceBackups.patch(id, { status: "successful", finished });
  const instance = world.instances.get(compute_id);
  world.instances.patch(compute_id, { backups: { ...instance.backups, last_successful: finished } });
  const all = world.instanceBackups.by("compute_id", compute_id).filter((one) => one.type === type);
  const remainingIds = new Set(all.slice(-1));
  if (type === "auto") for (const one of all.filter(weekly(instance)).slice(-WEEKS)) remainingIds.add(one);
  for (const one of all) if (!remainingIds.has(one)) world.instanceBackups.remove(one.id);
}

/** Whether a backup was taken on the day of the instance's weekly backups. */
const weekly =
  ({ id, backups: { schedule } }: RowOf<"instances">) =>
  ({ created }: Readonly<BackupRow>): boolean => {
    const chosen = days.indexOf(schedule.day as (typeof days)[number]);
    return new Date(`${created}Z`).getUTCDay() === (chosen < 0 ? id % 7 : chosen);
  };

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

/** Total size of the disks in a backup, in MB. */
export const sizeOf = ({ disks }: Readonly<BackupRow>): number => disks.reduce((sum, { size }) => sum + size, 0);

/** The backup with the given id. Throws unless the caller may restore it, and its region and size fit the instance. */
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
  problems.addUnless(backup.status === "successful", `Backup ${id} is ${backup.status}, not successful`, "backup_id");
  problems.addUnless(room.region === region, `Must be ${region}, the region of backup ${id}`, "region");
  problems.addUnless(
    room.size >= size,
    `Must have at least ${size} MB of storage for backup ${id}; it has ${room.size} MB`,
    "type",
  );
  return backup;
}

/**
 * Copies disks and configs to an instance, and returns the ids of the copies. Volumes are not copied, so the copied
 * configs do not refer to them.
 */
export function putBack(
  world: World,
  instance: RowOf<"instances">,
  { disks, configs, image }: Pick<Readonly<BackupRow>, "disks" | "configs" | "image">,
): { disks: number[]; configs: number[] } {
  const copies = new Map<number, number>();
  for (const { id, created: _, updated: __, ...disk } of disks) {
    const copy = world.disks.insert({ ...disk, compute_id: instance.id, status: "not ready" });
    copies.set(id, copy.id);
  }
  const added = configs.map(({ devices, ...config }) => {
    const slots = Object.entries(devices).map(([name, device]) => {
      return [name, { disk_id: copies.get(device?.disk_id ?? 0) ?? null, volume_id: null }];
    });
    return addConfig(world, instance, { ...config, devices: Object.fromEntries(slots) });
  });
  const booted = instance.booted_config ?? added[0]?.id ?? null;
  world.instances.patch(instance.id, { image: instance.image ?? image, booted_config: booted });
  return { disks: [...copies.values()], configs: added.map((config) => config.id) };
}

/** The hour (UTC) at which backups of the instance start. */
const hourOf = ({ id, backups }: RowOf<"instances">): number => {
  const { window } = backups.schedule;
  return window && window !== "Scheduling" ? Number(window.slice(1)) : (id % 12) * 2;
};

/**
 * Schedules the next automatic backup for the hour in the instance's schedule. Unlike the duration of jobs, this hour
 * does not depend on the emulator's `--pace`.
 */
export function waitForWindow(world: World, id: number): void {
  cancelTimer(world, id);
  const now = Math.floor(world.clock.now() / 1000) % DAY;
  const wait = (hourOf(world.instances.get(id)) * 3600 - now + DAY - 1) % DAY;
  const due = world.clock.now() + (wait + 1) * 1000;
  const timer = { due, task: daily.name, args: { id }, username: null, background: true };
  world.instances.patch(id, { backup_timer: world.schedule.add(timer).id });
}

function cancelTimer(world: World, id: number): void {
  const { backup_timer } = world.instances.get(id);
  if (backup_timer != null) world.schedule.cancel(backup_timer);
  world.instances.patch(id, { backup_timer: null });
}

/**
 * Takes the daily backup, and schedules the next one while backups are enabled. A daily backup is not a job, because a
 * job would block other operations on the instance.
 */
const daily: Task<{ id: number }> = task("instanceBackups.daily", (world, { id }) => {
  const instance = world.instances.find(id);
  if (!instance) return;
  if (world.disks.by("compute_id", id).length > 0) endBackup(world, takeBackup(world, instance, null).id);
  waitForWindow(world, id);
});

export const backupContents: Part<{ instanceBackups: BackupRow }> = {
  tables: {
    instanceBackups: table<BackupRow>([], {
      refs: { compute_id: "instances" },
      upgrade: (row) => ({ finished: null, ...row }),
    }),
  },
  tasks: [daily],
};
