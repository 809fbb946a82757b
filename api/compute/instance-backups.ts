import { z } from "zod";
import { Created, Empty, Id, Time, Updated } from "../schema/common";
import type { Area } from "../schema/operation";
import { Filesystem } from "./instance-disks";

export type Backup = z.output<typeof Backup>;
/** A backup of the disks and boot configs of an instance. */
export const Backup = z.strictObject({
  id: Id,
  label: z.string().nullable().describe("Label of a snapshot. Null for an automatic backup."),
  type: z.enum(["auto", "snapshot"]).describe("Type of the backup: `auto` (automatic) or `snapshot`."),
  status: z
    .enum(["paused", "pending", "running", "needsPostProcessing", "successful", "failed", "userAborted"])
    .describe("Status of the backup. Only a `successful` backup can be restored."),
  configs: z.array(z.string()).describe("Labels of the boot configs in the backup."),
  disks: z
    .array(
      z.strictObject({
        label: z.string().describe("Label of the disk."),
        filesystem: Filesystem,
        size: z.int().describe("Size of the disk in MB."),
      }),
    )
    .describe("Disks in the backup."),
  created: Created,
  updated: Updated,
  finished: Time.nullable().describe("Completion time of the backup in UTC. Null until the backup is complete."),
});

export type InstanceBackups = z.output<typeof InstanceBackups>;
export const InstanceBackups = z.strictObject({
  automatic: z.array(Backup).describe("Automatic backups."),
  snapshot: z
    .strictObject({
      current: Backup.nullable().describe("Current snapshot. Null if there is none."),
      in_progress: Backup.nullable().describe(
        "Snapshot that is being created. Replaces the current snapshot when it is complete. Null if there is none.",
      ),
    })
    .describe("Snapshots."),
});

const all = "/compute/instances/{computeId}/backups";
const one = `${all}/{backupId}` as const;
const source = "part 1 · Endpoints · Compute instances";

export const instanceBackups = {
  list: {
    summary: "List the automatic backups and the snapshots of an instance.",
    method: "GET",
    path: all,
    scopes: ["computes:read_only"],
    grant: "read_only",
    result: InstanceBackups,
    source,
  },
  view: {
    summary: "View a backup.",
    method: "GET",
    path: one,
    scopes: ["computes:read_only"],
    grant: "read_only",
    result: Backup,
    source,
  },
  snapshot: {
    summary: "Create a snapshot of an instance. It replaces the previous snapshot.",
    method: "POST",
    path: all,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    body: z.strictObject({ label: z.string().min(1).max(255).describe("Label of the snapshot.") }),
    result: Backup,
    event: "compute_snapshot",
    source: `${source} · rule 9`,
  },
  enable: {
    summary: "Enable the backup service of an instance. The service is billed from then on.",
    method: "POST",
    path: `${all}/enable`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    result: Empty,
    event: "backups_enable",
    source,
  },
  cancel: {
    summary: "Cancel the backup service of an instance and delete its backups.",
    method: "POST",
    path: `${all}/cancel`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    result: Empty,
    event: "backups_cancel",
    source,
  },
  restore: {
    summary: "Restore a backup to an instance in the same region.",
    method: "POST",
    path: `${one}/restore`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    body: z.strictObject({
      compute_id: Id.describe("Instance to restore to. It must have enough unallocated storage."),
      overwrite: z
        .boolean()
        .default(false)
        .describe(
          "Whether to delete the existing disks and boot configs of the target instance before the backup is restored.",
        ),
    }),
    result: Empty,
    event: "backups_restore",
    decided: [
      "With `overwrite`, a running instance shuts down. It boots again afterwards if the backup contains a config.",
    ],
    source,
  },
} satisfies Area;
