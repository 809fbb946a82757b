import { z } from "zod";
import { Created, Empty, Id, Paging, page, Updated } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";
import { Deployment, deploymentRules, RootPassword } from "./deployment";

export const DiskLabel = z.string().min(1).max(48).describe("Name of the disk for people.");
export const DiskSize = z.int().min(1).describe("Size in MB.");
export const Filesystem = z
  .enum(["raw", "swap", "ext3", "ext4", "initrd"])
  .describe("What the disk is formatted with; raw leaves it unformatted.");

export type Disk = z.output<typeof Disk>;
/** A part of an instance's own storage. */
export const Disk = z.strictObject({
  id: Id,
  label: DiskLabel.meta({ filterable: true }),
  status: z.enum(["ready", "not ready", "deleting"]).describe("Whether the disk can be used."),
  size: DiskSize.meta({ filterable: true }),
  filesystem: Filesystem,
  created: Created,
  updated: Updated,
});

export type DiskCreate = z.output<typeof DiskCreate>;
export const DiskCreate = Deployment.extend({
  size: DiskSize,
  label: DiskLabel.optional(),
  filesystem: Filesystem.optional().describe("Format; the image's own with an image, else ext4."),
});

const source = "part 1 · Endpoints · Disk create";

/** The public clients of this version send it with each disk. */
const writable = {
  read_only: z
    .literal(false, "must be false")
    .optional()
    .describe("Taken from older clients. A disk can always be written."),
};

export const diskCreateRules: Rule<DiskCreate>[] = [
  ...deploymentRules.map((rule) => ({ ...rule, source })),
  {
    reads: ["label", "image"],
    *check({ label, image }) {
      if (!label && !image) yield { field: "label", reason: "is required for a disk without an image" };
    },
    source,
  },
];

const all = "/compute/instances/{computeId}/disks";
const one = `${all}/{diskId}` as const;

export const instanceDisks = {
  list: {
    summary: "List the disks of an instance.",
    method: "GET",
    path: all,
    scopes: ["computes:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(Disk),
    source: "part 1 · Endpoints · Compute instances",
  },
  create: {
    summary: "Add a disk to an instance, empty or from an image.",
    method: "POST",
    path: all,
    scopes: ["computes:read_write"],
    idle: true,
    body: DiskCreate.extend(writable),
    result: Disk,
    event: "disk_create",
    source,
  },
  view: {
    summary: "View a disk.",
    method: "GET",
    path: one,
    scopes: ["computes:read_only"],
    grant: "read_only",
    result: Disk,
    source,
  },
  update: {
    summary: "Change a disk's label.",
    method: "PUT",
    path: one,
    scopes: ["computes:read_write"],
    grant: "read_write",
    body: Disk.pick({ label: true }).partial().extend(writable),
    result: Disk,
    event: "disk_update",
    decided: [
      "`size` and `filesystem` are read-only here: sent back as they are shown they are ignored, and a change of them is refused. `resize` changes the size; nothing changes the format of a disk.",
    ],
    source,
  },
  delete: {
    summary: "Delete a disk and its data; the instance must be offline.",
    method: "DELETE",
    path: one,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    result: Empty,
    event: "disk_delete",
    source,
  },
  clone: {
    summary: "Copy a disk within its instance.",
    method: "POST",
    path: `${one}/clone`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    result: Disk,
    event: "disk_duplicate",
    source,
  },
  resetPassword: {
    summary: "Set the root password on a disk; the instance must be offline.",
    method: "POST",
    path: `${one}/password`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    body: z.strictObject({ password: RootPassword }),
    result: Empty,
    event: "password_reset",
    source,
  },
  resize: {
    summary: "Grow a disk, or shrink it as far as its data allow; an instance that uses it must be offline.",
    method: "POST",
    path: `${one}/resize`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    body: z.strictObject({ size: DiskSize }),
    result: Empty,
    event: "disk_resize",
    decided: [
      "A running instance uses the disks of the config that it booted. In the rescue system, or after that config was deleted, all its disks count as used.",
    ],
    source,
  },
} satisfies Area;
