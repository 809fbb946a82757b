import { z } from "zod";
import { Created, Empty, Id, Paging, PartId, page, RegionId, Tags, Updated } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";

export const VolumeLabel = z
  .string()
  .min(1)
  // The pattern backtracks, which fails for texts of millions of characters.
  .max(32, { abort: true })
  .regex(
    /^[a-zA-Z]((?!--|__)[a-zA-Z0-9_-])*$/,
    "must start with a letter and contain only letters, digits, single dashes and single underscores",
  )
  .describe("Label of the volume. Must be unique in the account. Part of the volume's device path.");

export const VolumeSize = z.int().min(10).max(10240).describe("Size of the volume in GiB.");

export type Volume = z.output<typeof Volume>;
/** A block storage volume, which can be moved between instances in the same region. */
export const Volume = z.strictObject({
  id: Id,
  label: VolumeLabel.meta({ filterable: true }),
  status: z
    .enum(["creating", "active", "resizing", "contact_support"])
    .describe("Status of the volume. Only an `active` volume can be cloned or resized."),
  size: VolumeSize,
  region: RegionId.describe("Region of the volume. Only instances in the same region can attach it."),
  hardware_type: z.enum(["hdd", "nvme"]).describe("Hardware type of the storage."),
  filesystem_path: z
    .string()
    .meta({ contains: "label", names: "device" })
    .describe("Device path of the volume on an instance."),
  compute_id: Id.nullable().describe("Instance that the volume is attached to. Null if it is not attached."),
  compute_label: z
    .string()
    .nullable()
    .describe("Label of the instance that the volume is attached to. Null if it is not attached."),
  tags: Tags.meta({ filterable: true }),
  created: Created,
  updated: Updated,
});

export type VolumeCreate = z.output<typeof VolumeCreate>;
export const VolumeCreate = z.strictObject({
  label: VolumeLabel,
  region: RegionId.optional().describe("Region of the volume. Required if `compute_id` is not set."),
  compute_id: Id.optional().describe("Instance to attach the new volume to."),
  config_id: PartId.optional().describe(
    "Boot config to which the volume is added. Must belong to the instance. Required if the instance has several boot configs.",
  ),
  size: VolumeSize.default(20),
  tags: Tags.optional(),
});

const one = "/volumes/{volumeId}";
const minimumSize = "A volume has at least 10 GiB.";
const source = "part 1 · Endpoints · Volumes";

export const volumeCreateRules: Rule<{ region?: string | undefined; compute_id?: number | null | undefined }>[] = [
  {
    reads: ["region", "compute_id"],
    *check({ region, compute_id }) {
      if (!region && !compute_id) yield { field: "region", reason: "is required for a volume without an instance" };
    },
    source: `${source} · rule 2`,
  },
];

export const volumes = {
  list: {
    summary: "List the volumes of the account.",
    method: "GET",
    path: "/volumes",
    scopes: ["volumes:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(Volume),
    source,
  },
  create: {
    summary: "Create a volume, optionally attached to an instance. The volume is billed from its creation.",
    method: "POST",
    path: "/volumes",
    scopes: ["volumes:read_write"],
    grant: "add_volumes",
    body: VolumeCreate,
    result: Volume,
    event: "volume_create",
    decided: [minimumSize],
    source,
  },
  view: {
    summary: "View a volume.",
    method: "GET",
    path: one,
    scopes: ["volumes:read_only"],
    grant: "read_only",
    query: Paging,
    result: Volume,
    source,
  },
  update: {
    summary: "Update a volume's label or tags.",
    method: "PUT",
    path: one,
    scopes: ["volumes:read_write"],
    grant: "read_write",
    body: z.strictObject({ label: VolumeLabel, tags: Tags }).partial(),
    result: Volume,
    event: "volume_update",
    source,
  },
  delete: {
    summary: "Delete a volume and its data, even if it is attached. Billing stops.",
    method: "DELETE",
    path: one,
    scopes: ["volumes:read_write"],
    grant: "read_write",
    result: Empty,
    event: "volume_delete",
    decided: ["Attached volumes can be deleted, even if the instance is running."],
    source,
  },
  attach: {
    summary: "Attach a volume to an instance in the same region.",
    method: "POST",
    path: `${one}/attach`,
    scopes: ["volumes:read_write", "computes:read_write"],
    grant: "read_only",
    body: z.strictObject({
      compute_id: Id.describe("Instance to attach to."),
      config_id: PartId.optional().describe("Boot config to which the volume is added. Must belong to the instance."),
      persist_across_boots: z
        .boolean()
        .default(true)
        .describe("Whether the volume stays in the boot config when the instance reboots."),
    }),
    result: Volume,
    event: "volume_attach",
    decided: ["An instance can have as many attached volumes as its RAM in GB, but at least 8 and at most 64."],
    source,
  },
  clone: {
    summary: "Clone an active volume with its data. The clone is billed from its creation.",
    method: "POST",
    path: `${one}/clone`,
    scopes: ["volumes:read_write"],
    grant: "add_volumes",
    body: z.strictObject({ label: VolumeLabel }),
    result: Volume,
    event: "volume_clone",
    decided: ["The clone has no tags."],
    source,
  },
  detach: {
    summary: "Detach a volume from its instance. Has no effect on an unattached volume.",
    method: "POST",
    path: `${one}/detach`,
    scopes: ["volumes:read_write", "computes:read_write"],
    result: Empty,
    event: "volume_detach",
    decided: ["A volume cannot be detached or deleted while its instance migrates."],
    source,
  },
  resize: {
    summary: "Increase the size of an active volume.",
    method: "POST",
    path: `${one}/resize`,
    scopes: ["volumes:read_write"],
    body: z.strictObject({ size: VolumeSize }),
    result: Empty,
    event: "volume_resize",
    decided: [minimumSize],
    source,
  },
} satisfies Area;
