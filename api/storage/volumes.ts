import { z } from "zod";
import { Created, Empty, Id, Paging, PartId, page, RegionId, Tags, Updated } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";

export const VolumeLabel = z
  .string()
  .min(1)
  .max(32)
  .regex(
    /^[a-zA-Z]((?!--|__)[a-zA-Z0-9_-])*$/,
    "must start with a letter and hold only letters, digits, single dashes and single underscores",
  )
  .describe("Name of the volume, unique in the account; also the end of its file system path.");

export const VolumeSize = z.int().min(10).max(10240).describe("Size in GiB.");

export type Volume = z.output<typeof Volume>;
/** A block storage device that can move between the instances of its region. */
export const Volume = z.strictObject({
  id: Id,
  label: VolumeLabel.meta({ filterable: true }),
  status: z
    .enum(["creating", "active", "resizing", "contact_support"])
    .describe("Whether the volume can be used yet; only an active one can be cloned or resized."),
  size: VolumeSize,
  region: RegionId.describe("Region that holds the data; instances of the same region can attach it."),
  hardware_type: z.enum(["hdd", "nvme"]).describe("Kind of the disks behind the volume."),
  filesystem_path: z
    .string()
    .meta({ contains: "label" })
    .describe("Device path under which an instance sees the volume."),
  compute_id: Id.nullable().describe("Instance that the volume is attached to."),
  compute_label: z.string().nullable().describe("Label of the instance that the volume is attached to."),
  tags: Tags.meta({ filterable: true }),
  created: Created,
  updated: Updated,
});

export type VolumeCreate = z.output<typeof VolumeCreate>;
export const VolumeCreate = z.strictObject({
  label: VolumeLabel,
  region: RegionId.optional().describe("Region of the volume; required without `compute_id`."),
  compute_id: Id.optional().describe("Instance to attach the new volume to."),
  config_id: PartId.optional().describe(
    "Config of that instance that takes the volume; needed only if it has several.",
  ),
  size: VolumeSize.default(20),
  tags: Tags.optional(),
});

const one = "/volumes/{volumeId}";
const source = "part 1 · Endpoints · Volumes";

export const volumeCreateRules: Rule<{ region?: string | undefined; compute_id?: number | null | undefined }>[] = [
  {
    reads: ["region", "compute_id"],
    *check({ region, compute_id }) {
      if (!region && !compute_id) yield { field: "region", reason: "is required for a volume that no instance takes" };
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
    summary: "Create a volume, attached to an instance or on its own in a region; charges start.",
    method: "POST",
    path: "/volumes",
    scopes: ["volumes:read_write"],
    grant: "add_volumes",
    body: VolumeCreate,
    result: Volume,
    event: "volume_create",
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
    summary: "Change a volume's label or tags.",
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
    summary: "Delete a volume and its data, whether attached or not; billing stops.",
    method: "DELETE",
    path: one,
    scopes: ["volumes:read_write"],
    grant: "read_write",
    result: Empty,
    event: "volume_delete",
    decided: ["Attached volumes can be deleted, even while a running instance uses them."],
    source,
  },
  attach: {
    summary: "Attach a volume to an instance of its region.",
    method: "POST",
    path: `${one}/attach`,
    scopes: ["volumes:read_write", "computes:read_write"],
    grant: "read_only",
    body: z.strictObject({
      compute_id: Id.describe("Instance to attach to."),
      config_id: PartId.optional().describe("Config of that instance that takes the volume."),
      persist_across_boots: z.boolean().default(true).describe("Whether the config keeps the volume over a reboot."),
    }),
    result: Volume,
    event: "volume_attach",
    source,
  },
  clone: {
    summary: "Copy an active volume with its data; charges start.",
    method: "POST",
    path: `${one}/clone`,
    scopes: ["volumes:read_write"],
    grant: "add_volumes",
    body: z.strictObject({ label: VolumeLabel }),
    result: Volume,
    event: "volume_clone",
    source,
  },
  detach: {
    summary: "Detach a volume from its instance. Has no effect on an unattached volume.",
    method: "POST",
    path: `${one}/detach`,
    scopes: ["volumes:read_write", "computes:read_write"],
    result: Empty,
    event: "volume_detach",
    decided: ["While its instance migrates a volume stays attached, and so can't be deleted."],
    source,
  },
  resize: {
    summary: "Grow an active volume.",
    method: "POST",
    path: `${one}/resize`,
    scopes: ["volumes:read_write"],
    body: z.strictObject({ size: VolumeSize }),
    result: Empty,
    event: "volume_resize",
    source,
  },
} satisfies Area;
