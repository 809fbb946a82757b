import type { Backup } from "../../../api";
import { ErrorResponse, notFound, Reasons } from "../../core/error-response";
import { entity } from "../../core/events";
import { rejectBusy } from "../../core/jobs";
import type { RowOf } from "../../core/store";
import { task, type World } from "../../core/world";
import type { AreaModule } from "../../http/handlers";
import { backupsDeleted, backupsOn, endBackup, putBack, sizeOf, takeBackup } from "./backup-contents";
import { disksReady, RATE, removeDisk } from "./disk-jobs";
import { diskSpace } from "./instance-disks";
import { arrive, bootConfig, queueBoot, requireStatus, settled } from "./instance-power";
import { setStatus } from "./instance-runs";

const SNAPSHOT_SECONDS = 60;
const RESTORE_SECONDS = 60;

/** Runs when the job that takes a snapshot has ended. If the job failed, the previous snapshot is kept. */
const backupEnd = task<{ id: number }>("instanceBackups.taken", (world, { id }, outcome) => {
  if (!world.instanceBackups.find(id)) return;
  if (outcome === "finished") endBackup(world, id);
  else world.instanceBackups.remove(id);
});

/**
 * Runs when the job that restores a backup has ended. Boots the instance again if it was running and its disks were
 * replaced.
 */
const restored = task<{ id: number; before: "running" | "offline"; overwrite?: boolean }>(
  "instanceBackups.restored",
  (world, { id, before, overwrite }, outcome) => {
    disksReady(world, id);
    const statusAfter = overwrite ? "offline" : before;
    arrive(world, { id, to: statusAfter, from: statusAfter }, outcome);
    const instance = world.instances.find(id);
    if (!instance || outcome === "failed" || before === statusAfter) return;
    if (bootConfig(world, instance) instanceof ErrorResponse) return;
    setStatus(world, id, "booting");
    queueBoot(world, instance);
  },
);

export const instanceBackups: AreaModule<"instanceBackups"> = {
  tasks: [restored, backupEnd],
  handlers: {
    list({ world, path }) {
      const { id } = world.instances.get(path.computeId);
      const all = world.instanceBackups.by("compute_id", id);
      const current = all.find(({ type, status }) => type === "snapshot" && status === "successful");
      const coming = all.find(({ type, status }) => type === "snapshot" && status !== "successful");
      return {
        automatic: all.filter(({ type }) => type === "auto").map(backupRecord),
        snapshot: {
          current: current ? backupRecord(current) : null,
          in_progress: coming ? backupRecord(coming) : null,
        },
      };
    },

    view: ({ world, path }) => backupRecord(find(world, path).backup),

    snapshot({ world, path, body }) {
      const instance = world.instances.get(path.computeId);
      if (!instance.backups.enabled)
        throw new ErrorResponse(400, `The backup service of instance ${instance.id} is disabled; enable it first`);
      requireStatus(instance, settled);
      if (diskSpace(world, instance.id) === 0)
        throw new ErrorResponse(400, `Instance ${instance.id} has no disks to back up`);
      const backup = takeBackup(world, instance, body.label);
      world.jobs.start({
        entity: entity("compute", instance),
        action: "compute_snapshot",
        seconds: SNAPSHOT_SECONDS + used(backup) / RATE,
        compute: instance.id,
        task: backupEnd,
        args: { id: backup.id },
      });
      return backupRecord(backup);
    },

    enable({ world, path, emit }) {
      const instance = world.instances.get(path.computeId);
      if (!instance.backups.enabled) backupsOn(world, instance);
      emit(entity("compute", instance));
      return {};
    },

    cancel({ world, path, emit }) {
      const instance = world.instances.get(path.computeId);
      if (!instance.backups.enabled) return {};
      backupsDeleted(world, instance.id);
      world.instances.patch(instance.id, { backups: { ...instance.backups, enabled: false, last_successful: null } });
      emit(entity("compute", instance));
      return {};
    },

    restore({ world, caller, path, body }) {
      const { instance: source, backup } = find(world, path);
      const problems = new Reasons();
      const target = world.instances.find(body.compute_id);
      if (!target || !caller.may("compute", target.id, "read_only"))
        throw new ErrorResponse(400, `There is no instance ${body.compute_id}`, "compute_id");
      caller.need("compute", target.id, "read_write");
      rejectBusy(world, target.id);
      requireStatus(target, settled, "compute_id");
      problems.addUnless(backup.status === "successful", `Backup ${backup.id} is ${backup.status}, not successful`);
      problems.addUnless(
        target.region === source.region,
        `The instance is in ${target.region}, the backup in ${source.region}; both must be in the same region`,
        "compute_id",
      );
      const free = target.specs.disk - (body.overwrite ? 0 : diskSpace(world, target.id));
      const size = sizeOf(backup);
      problems.addUnless(
        size <= free,
        `The instance has ${free} MB of free disk space; the backup requires ${size} MB`,
        "compute_id",
      );
      problems.throwIfAny();
      if (body.overwrite) wipe(world, target.id);
      putBack(world, world.instances.get(target.id), backup);
      const args = { id: target.id, before: target.status as "running" | "offline", overwrite: body.overwrite };
      setStatus(world, target.id, "restoring");
      world.jobs.start({
        entity: entity("compute", target),
        action: "backups_restore",
        seconds: RESTORE_SECONDS + used(backup) / RATE,
        compute: target.id,
        task: restored,
        args,
      });
      return {};
    },
  },
};

/** Deletes all disks and configs of an instance, for example before a backup is restored to it. */
export function wipe(world: World, compute: number): void {
  for (const { id } of world.instanceConfigs.by("compute_id", compute)) world.instanceConfigs.remove(id);
  for (const { id } of world.disks.by("compute_id", compute)) removeDisk(world, id);
  world.instances.patch(compute, { image: null, booted_config: null });
}

const used = ({ disks }: RowOf<"instanceBackups">): number => disks.reduce((sum, disk) => sum + disk.used, 0);

/** The backup as the API returns it. Its contents are omitted until the backup is complete. */
const backupRecord = ({ disks, configs, ...row }: RowOf<"instanceBackups">): Backup => {
  const { compute_id: _, image: __, ...backup } = row;
  const done = row.status === "successful";
  return {
    ...backup,
    configs: done ? configs.map(({ label }) => label) : [],
    disks: done ? disks.map(({ label, filesystem, size }) => ({ label, filesystem, size })) : [],
  };
};

function find(world: World, { computeId, backupId }: { computeId: number; backupId: number }) {
  const instance = world.instances.get(computeId);
  const backup = world.instanceBackups.get(backupId);
  if (backup.compute_id !== instance.id) throw notFound();
  return { instance, backup };
}
