import { z } from "zod";
import { Id, PartId, RegionId, TypeId } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";
import { Group, Instance, InstanceLabel } from "./instance-record";

/** Inputs of a clone to a new instance. They are not allowed when cloning to an existing instance. */
const OfNew = z
  .strictObject({
    region: RegionId.describe("Region of the new instance."),
    type: TypeId.describe("Type of the new instance. Must have enough storage for the cloned disks."),
    label: InstanceLabel,
    group: Group.meta({ deprecated: true }),
    backups_enabled: z.boolean().describe("Whether to enable the backup service of the new instance."),
  })
  .partial();

export type InstanceClone = z.output<typeof InstanceClone>;
export const InstanceClone = OfNew.extend({
  compute_id: Id.optional().describe("Existing instance to clone to. If omitted, a new instance is created."),
  disks: z
    .array(PartId)
    .optional()
    .describe(
      "Disks to clone in addition to the disks of the cloned boot configs. If omitted, no further disks are cloned.",
    ),
  configs: z
    .array(PartId)
    .optional()
    .describe("Boot configs to clone with their disks. If omitted, all are cloned; if the list is empty, none."),
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
            reason: "is required for a new instance; to clone to an existing one, set compute_id",
          };
    },
    source,
  },
  {
    reads: ["compute_id", ...(Object.keys(OfNew.shape) as (keyof typeof OfNew.shape)[])],
    *check({ compute_id, ...body }) {
      for (const field of Object.keys(OfNew.shape) as (keyof typeof OfNew.shape)[])
        if (compute_id !== undefined && body[field] !== undefined)
          yield { field, reason: `must be omitted for a clone to the existing instance ${compute_id}` };
    },
    source,
  },
];

export const instanceClone = {
  clone: {
    summary:
      "Clone the disks and boot configs of an instance to a new instance, which is billed, or to an existing one.",
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
      "The clone contains the data at the time of the request. The status of the source does not change; the target is `cloning`, then returns to its previous status, or `offline` if it is new.",
      "A new instance gets the tags of the source, unless the user is restricted. Volumes are not cloned: their device slots are empty.",
      "`region` and `type` are required for a new instance. For an existing instance they must be omitted, as must label, group and backups_enabled.",
      "Configs with a VLAN interface cannot be cloned to a region without VLANs.",
    ],
    source: "part 1 · Resources · Network interface object",
  },
} satisfies Area;
