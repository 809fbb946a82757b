import { z } from "zod";
import { Empty, RegionId, TypeId } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";

const AutoResize = z
  .boolean()
  .default(true)
  .describe(
    "Whether to resize the disk to the storage of the new type. Has an effect only if the instance has a single ext3 or ext4 disk, with or without a swap disk.",
  );

export type InstanceMigrate = z.output<typeof InstanceMigrate>;
export const InstanceMigrate = z.strictObject({
  region: RegionId.optional().describe(
    "Region to migrate to. If omitted, the migration that the platform has scheduled is started.",
  ),
  upgrade: z
    .boolean()
    .default(false)
    .describe(
      "Whether to replace a retired type of the instance with its successor during the migration. Requires `region`.",
    ),
});

export const instanceMigrateRules: Rule<InstanceMigrate>[] = [
  {
    reads: ["region", "upgrade"],
    *check({ region, upgrade }) {
      if (upgrade && !region) yield { field: "region", reason: "is required if upgrade is true" };
    },
    source: "part 1 · Endpoints · Compute instances",
  },
];

const one = "/compute/instances/{computeId}";
const source = "part 1 · Endpoints · Compute instances";

/** Operations that change the type, host or region of an instance, which is offline during the change. */
export const instanceMoves = {
  resize: {
    summary: "Resize an instance to another type. The instance shuts down during the resize.",
    method: "POST",
    path: `${one}/resize`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    body: z.strictObject({
      type: TypeId.describe("New type of the instance."),
      allow_auto_disk_resize: AutoResize,
    }),
    result: Empty,
    event: "compute_resize",
    decided: [
      "A single ext3 or ext4 disk is resized with the type. If there are several, or disks with other filesystems in addition to one swap disk, no disk is resized.",
      "A running instance boots again at the end.",
    ],
    source: `${source} · rule 11`,
  },
  mutate: {
    summary: "Replace the retired type of an instance with its successor. The instance is shut down during the change.",
    method: "POST",
    path: `${one}/mutate`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    body: z.strictObject({ allow_auto_disk_resize: AutoResize }),
    result: Empty,
    event: "compute_mutate",
    decided: ["The preconditions are those of a resize. A retired type is one that has a successor."],
    source,
  },
  migrate: {
    summary: "Migrate an instance to another region, or start the migration that the platform has scheduled.",
    method: "POST",
    path: `${one}/migrate`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    body: InstanceMigrate,
    result: Empty,
    event: "compute_migrate",
    decided: [
      "Without `region`, a migration must be pending. With `region`, the event is compute_migrate_datacenter.",
      "In another region the instance gets a new public address and, if it had one, a new private address. Its backups are deleted; the backup service stays enabled.",
      "Volumes must be detached first. A cluster node cannot leave the region of the cluster.",
      "`upgrade` returns an error if the type does not have a successor.",
      "A running instance boots again at the end.",
    ],
    source: "part 1 · Resources · Network interface object",
  },
} satisfies Area;
