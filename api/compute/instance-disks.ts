import { z } from "zod";
import { Created, Empty, Id, Paging, page, Updated } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";
import { Deployment, deploymentRules, RootPassword, usersHaveKeys } from "./deployment";

export const DiskLabel = z.string().min(1).max(48).describe("Label of the disk.");
export const DiskSize = z.int().min(1).describe("Size of the disk in MB.");
export const Filesystem = z
  .enum(["raw", "swap", "ext3", "ext4", "initrd"])
  .describe("Filesystem of the disk. `raw` is unformatted.");

export type Disk = z.output<typeof Disk>;
/** A disk in the storage of an instance. */
export const Disk = z.strictObject({
  id: Id,
  label: DiskLabel.meta({ filterable: true }),
  status: z.enum(["ready", "not ready", "deleting"]).describe("Status of the disk."),
  size: DiskSize.meta({ filterable: true }),
  filesystem: Filesystem,
  created: Created,
  updated: Updated,
});

export type DiskCreate = z.output<typeof DiskCreate>;
export const DiskCreate = Deployment.extend({
  size: DiskSize,
  label: DiskLabel.optional(),
  filesystem: Filesystem.optional()
    .meta({ initial: "ext4" })
    .describe("Filesystem of the disk. Defaults to that of the image, or to `ext4` without an image."),
});

const source = "part 1 · Endpoints · Disk create";

/** The field `read_only`, which updates and create requests of disks accept for compatibility with older clients. */
const readOnlyField = {
  read_only: z
    .literal(false, "must be false")
    .optional()
    .describe(
      "Whether the disk is read-only. Must be false: disks are always writable. Accepted for compatibility with older clients.",
    ),
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
    summary: "Create a disk on an instance, empty or from an image.",
    method: "POST",
    path: all,
    scopes: ["computes:read_write"],
    idle: true,
    body: DiskCreate.extend(readOnlyField),
    result: Disk,
    event: "disk_create",
    decided: [usersHaveKeys],
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
    summary: "Update a disk's label.",
    method: "PUT",
    path: one,
    scopes: ["computes:read_write"],
    grant: "read_write",
    body: Disk.pick({ label: true }).partial().extend(readOnlyField),
    result: Disk,
    event: "disk_update",
    decided: [
      "`size` and `filesystem` are read-only in an update: their current values are ignored, and other values are rejected. Use `resize` to change the size. The filesystem cannot be changed.",
    ],
    source,
  },
  delete: {
    summary: "Delete a disk and its data. The instance must be offline.",
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
    summary: "Clone a disk. The clone belongs to the same instance as the disk.",
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
    summary: "Reset the root password on a disk. The instance must be offline.",
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
    summary: "Resize a disk. The new size must be enough for its data. An instance that uses the disk must be offline.",
    method: "POST",
    path: `${one}/resize`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    body: z.strictObject({ size: DiskSize }),
    result: Empty,
    event: "disk_resize",
    decided: [
      "A running instance uses the disks of the config that it booted. In rescue mode, or if that config was deleted, all its disks are in use.",
    ],
    source,
  },
} satisfies Area;
