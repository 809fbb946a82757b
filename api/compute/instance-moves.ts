import { z } from "zod";
import { Empty, RegionId, TypeId } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";

const AutoResize = z.boolean().default(true).describe("Whether the disks follow the new size.");

export type InstanceMigrate = z.output<typeof InstanceMigrate>;
export const InstanceMigrate = z.strictObject({
  region: RegionId.optional().describe(
    "Region to move to; without one, a migration that the platform has scheduled starts.",
  ),
  upgrade: z
    .boolean()
    .default(false)
    .describe("Whether a retired type becomes its successor on the way; only with a region."),
});

export const instanceMigrateRules: Rule<InstanceMigrate>[] = [
  {
    reads: ["region", "upgrade"],
    *check({ region, upgrade }) {
      if (upgrade && !region) yield { field: "region", reason: "is required for an upgrade on the way" };
    },
    source: "part 1 · Endpoints · Compute instances",
  },
];

const one = "/compute/instances/{computeId}";
const source = "part 1 · Endpoints · Compute instances";

/** Operations that bring an instance to another type, host or region; it is off meanwhile. */
export const instanceMoves = {
  resize: {
    summary: "Move an instance to another type; it goes through a shutdown.",
    method: "POST",
    path: `${one}/resize`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    body: z.strictObject({
      type: TypeId.describe("New size of the machine."),
      allow_auto_disk_resize: AutoResize,
    }),
    result: Empty,
    event: "compute_resize",
    decided: [
      "The one ext3 or ext4 disk follows the new size; with several of them, or with disks of other kinds besides one swap disk, all keep theirs.",
      "An instance that ran boots again at the end.",
    ],
    source: `${source} · rule 11`,
  },
  mutate: {
    summary: "Upgrade an instance of a retired type to the type's successor; it goes through a shutdown.",
    method: "POST",
    path: `${one}/mutate`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    body: z.strictObject({ allow_auto_disk_resize: AutoResize }),
    result: Empty,
    event: "compute_mutate",
    decided: ["The preconditions are those of a resize, and a retired type is one that names a successor."],
    source,
  },
  migrate: {
    summary: "Move an instance to another region, or start the host migration that the platform has scheduled for it.",
    method: "POST",
    path: `${one}/migrate`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    body: InstanceMigrate,
    result: Empty,
    event: "compute_migrate",
    decided: [
      "Without a region a migration must be pending; with one, the event is compute_migrate_datacenter.",
      "Another region means new addresses, one public and one private if it had one, and the end of its backups; the backup service stays on.",
      "Volumes must be detached first, and a node of a cluster stays in the cluster's region.",
      "`upgrade` is refused where the type has no successor.",
      "An instance that ran boots again at the end.",
    ],
    source: "part 1 · Resources · Network interface object",
  },
} satisfies Area;
