import { z } from "zod";
import { NodeBalancer } from "../load-balancers/node-balancers";
import { Firewall } from "../networking/firewalls";
import { Empty, Paging, PartId, page, RegionId, Tags, TypeId } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";
import { Volume } from "../storage/volumes";
import { Deployment, deploymentRules } from "./deployment";
import { instanceClone } from "./instance-clone";
import { instanceMoves } from "./instance-moves";
import { Booted, instancePower } from "./instance-power";
import { Alerts, BackupSchedule, Group, Instance, InstanceLabel } from "./instance-record";
import { instanceStats } from "./instance-stats";
import { Interface, interfaceRules } from "./interfaces";

export * from "./instance-record";

export type InstanceCreate = z.output<typeof InstanceCreate>;
export const InstanceCreate = Deployment.extend({
  region: RegionId.describe("Region to create the machine in."),
  type: TypeId.describe("Size of the machine."),
  label: InstanceLabel.optional(),
  group: Group.optional().meta({ deprecated: true }),
  tags: Tags.optional(),
  backup_id: PartId.optional().describe("Backup of another instance to restore from, instead of an image."),
  backups_enabled: z.boolean().optional().describe("Whether to turn on the backup service."),
  booted: Booted,
  swap_size: z.int().min(0).default(512).describe("Size of the swap disk in MB; only used with an image."),
  private_ip: z
    .boolean()
    .optional()
    .describe("Whether to add a private IPv4 address. It can be added later, but not removed."),
  interfaces: z.array(Interface).max(3).optional().describe("Network interfaces; none gives a public one."),
});

export const instanceCreateRules: Rule<
  Pick<InstanceCreate, "image" | "root_pass" | "stackscript_id" | "interfaces" | "backup_id">
>[] = [
  ...deploymentRules,
  ...interfaceRules,
  {
    reads: ["image", "backup_id"],
    *check({ image, backup_id }) {
      if (image && backup_id)
        yield {
          field: "image",
          reason: `must be absent when restoring backup ${backup_id}, which brings its own disks`,
        };
    },
    source: "part 1 · Endpoints · Compute instances · rule 4",
  },
];

const one = "/compute/instances/{computeId}";
const source = "part 1 · Endpoints · Compute instances";

export const instances = {
  list: {
    summary: "List the instances of the account.",
    method: "GET",
    path: "/compute/instances",
    scopes: ["computes:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(Instance),
    source,
  },
  create: {
    summary: "Create an instance from an image, a backup, or empty; charges start.",
    method: "POST",
    path: "/compute/instances",
    scopes: ["computes:read_write"],
    grant: "add_computes",
    body: InstanceCreate,
    result: Instance,
    event: "compute_create",
    decided: [
      "Interfaces go into the config that an image deployment makes; an empty instance has no config yet, and one from a backup keeps the backup's.",
      "On accounts made since 2019 the platform blocks outgoing traffic to the ports 25, 465 and 587 of all instances; nothing in the API shows it.",
    ],
    source,
  },
  view: {
    summary: "View an instance.",
    method: "GET",
    path: one,
    scopes: ["computes:read_only"],
    grant: "read_only",
    result: Instance,
    source,
  },
  update: {
    summary: "Change an instance's label, tags, alerts, backup schedule or watchdog.",
    method: "PUT",
    path: one,
    scopes: ["computes:read_write"],
    grant: "read_write",
    body: Instance.pick({ label: true, group: true, tags: true, watchdog_enabled: true })
      .extend({
        alerts: Alerts.partial().describe("Thresholds to change."),
        backups: z
          .strictObject({ schedule: BackupSchedule.partial().describe("Parts of the schedule to change.") })
          .partial()
          .describe("The schedule of the backups."),
      })
      .partial(),
    result: Instance,
    event: "compute_update",
    source,
  },
  delete: {
    summary: "Delete an instance with its disks, configs and backups; billing stops.",
    method: "DELETE",
    path: one,
    scopes: ["computes:read_write"],
    grant: "read_write",
    result: Empty,
    event: "compute_delete",
    source,
  },
  ...instancePower,
  ...instanceMoves,
  ...instanceClone,
  ...instanceStats,
  volumes: {
    summary: "List the volumes that are attached to an instance.",
    method: "GET",
    path: `${one}/volumes`,
    scopes: ["computes:read_only"],
    query: Paging,
    result: page(Volume),
    source,
  },
  firewalls: {
    summary: "List the firewalls that an instance is assigned to.",
    method: "GET",
    path: `${one}/firewalls`,
    scopes: ["computes:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(Firewall),
    source,
  },
  nodeBalancers: {
    summary: "List the load balancers that an instance is a backend of.",
    method: "GET",
    path: `${one}/nodebalancers`,
    scopes: ["computes:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(NodeBalancer),
    source,
  },
} satisfies Area;
