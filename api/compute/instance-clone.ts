import { z } from "zod";
import { Id, PartId, RegionId, TypeId } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";
import { Group, Instance, InstanceLabel } from "./instance-record";

/** What is said of a new instance, and of an existing one can't be. */
const OfNew = z
  .strictObject({
    region: RegionId.describe("Region of the new instance."),
    type: TypeId.describe("Size of the new instance; it needs room for the disks."),
    label: InstanceLabel,
    group: Group.meta({ deprecated: true }),
    backups_enabled: z.boolean().describe("Whether to turn on the backup service of the new instance."),
  })
  .partial();

export type InstanceClone = z.output<typeof InstanceClone>;
export const InstanceClone = OfNew.extend({
  compute_id: Id.optional().describe(
    "Existing instance to copy onto, beside what it has; a new one is made when absent.",
  ),
  disks: z.array(PartId).optional().describe("Disks to copy besides those of the configs; none when absent."),
  configs: z
    .array(PartId)
    .optional()
    .describe("Configs to copy with their disks; all when absent, none when the list is empty."),
});

const source = "part 1 · Endpoints · Compute instances";

export const instanceCloneRules: Rule<InstanceClone>[] = [
  {
    reads: ["compute_id", "region", "type"],
    *check({ compute_id, ...body }) {
      for (const field of ["region", "type"] as const)
        if (compute_id === undefined && body[field] === undefined)
          yield {
            field,
            reason: "is required for a new instance; to copy onto an existing one, name it in compute_id",
          };
    },
    source,
  },
  {
    reads: ["compute_id", ...(Object.keys(OfNew.shape) as (keyof typeof OfNew.shape)[])],
    *check({ compute_id, ...body }) {
      for (const field of Object.keys(OfNew.shape) as (keyof typeof OfNew.shape)[])
        if (compute_id !== undefined && body[field] !== undefined)
          yield { field, reason: `must be absent: instance ${compute_id} exists and keeps what it has` };
    },
    source,
  },
];

export const instanceClone = {
  clone: {
    summary:
      "Copy an instance's disks and configs onto a new instance, for which charges start, or onto an existing one.",
    method: "POST",
    path: "/compute/instances/{computeId}/clone",
    scopes: ["computes:read_write"],
    grant: "add_computes",
    idle: true,
    body: InstanceClone,
    result: Instance,
    event: "compute_clone",
    decided: [
      "At most five clones of an instance can be in progress at once.",
      "The copy is of the moment of the request. The source keeps its status; the instance that is copied to shows `cloning`, then the status that it had, or `offline` if it is new.",
      "A new instance takes the tags of the source, unless the user is restricted. Volumes are not copied: their slots are empty.",
      "Region and type are required for a new instance; like label, group and backups_enabled they must be absent for an existing one.",
      "Where the region has no VLANs, nothing with a VLAN interface is cloned to it.",
    ],
    source: "part 1 · Resources · Network interface object",
  },
} satisfies Area;
