import { z } from "zod";
import { Created, Empty, Id, Time, Updated } from "../schema/common";
import type { Area } from "../schema/operation";
import { Filesystem } from "./instance-disks";

export type Backup = z.output<typeof Backup>;
/** A copy of an instance's disks and configs at a moment. */
export const Backup = z.strictObject({
  id: Id,
  label: z.string().nullable().describe("Name that a snapshot was given; null for an automatic backup."),
  type: z.enum(["auto", "snapshot"]).describe("Whether the schedule or a person made it."),
  status: z
    .enum(["paused", "pending", "running", "needsPostProcessing", "successful", "failed", "userAborted"])
    .describe("How far it is; only a successful one can be restored."),
  configs: z.array(z.string()).describe("Labels of the configs in it."),
  disks: z
    .array(
      z.strictObject({
        label: z.string().describe("Label that the disk had."),
        filesystem: Filesystem,
        size: z.int().describe("Size in MB."),
      }),
    )
    .describe("Disks in it."),
  created: Created,
  updated: Updated,
  finished: Time.nullable().describe("When it was done. Null until then."),
});

export type InstanceBackups = z.output<typeof InstanceBackups>;
/** All backups of an instance. */
export const InstanceBackups = z.strictObject({
  automatic: z.array(Backup).describe("Those that the schedule made."),
  snapshot: z.strictObject({
    current: Backup.nullable().describe("The snapshot. Null if none was taken."),
    in_progress: Backup.nullable().describe(
      "The snapshot being taken, which will replace the current one. Null if none is.",
    ),
  }),
});

const all = "/compute/instances/{computeId}/backups";
const one = `${all}/{backupId}` as const;
const source = "part 1 · Endpoints · Compute instances";

export const instanceBackups = {
  list: {
    summary: "List an instance's automatic backups and its snapshot.",
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
    summary: "Take a snapshot of an instance; it replaces the one before.",
    method: "POST",
    path: all,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    body: z.strictObject({ label: z.string().min(1).max(255).describe("Name of the snapshot for people.") }),
    result: Backup,
    event: "compute_snapshot",
    source: `${source} · rule 9`,
  },
  enable: {
    summary: "Turn on the backup service of an instance; charges start.",
    method: "POST",
    path: `${all}/enable`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    result: Empty,
    event: "backups_enable",
    source,
  },
  cancel: {
    summary: "Turn off the backup service of an instance and delete its backups.",
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
    summary: "Restore a backup onto an instance of the same region.",
    method: "POST",
    path: `${one}/restore`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    body: z.strictObject({
      compute_id: Id.describe("Instance to restore onto; it needs the space."),
      overwrite: z.boolean().default(false).describe("Whether to delete that instance's disks and configs first."),
    }),
    result: Empty,
    event: "backups_restore",
    decided: [
      "With `overwrite`, a running instance goes down and boots again afterwards if the backup contains a config.",
    ],
    source,
  },
} satisfies Area;
