import { z } from "zod";
import { NodeBalancer } from "../load-balancers/node-balancers";
import { Firewall } from "../networking/firewalls";
import { Empty, Paging, PartId, page, RegionId, Tags, TypeId } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";
import { Volume } from "../storage/volumes";
import { Deployment, deploymentRules, usersHaveKeys } from "./deployment";
import { instanceClone } from "./instance-clone";
import { instanceMoves } from "./instance-moves";
import { Booted, instancePower } from "./instance-power";
import { Alerts, BackupSchedule, Group, Instance, InstanceLabel } from "./instance-record";
import { instanceStats } from "./instance-stats";
import { Interface, interfaceRules } from "./interfaces";

export * from "./instance-record";

export type InstanceCreate = z.output<typeof InstanceCreate>;
export const InstanceCreate = Deployment.extend({
  region: RegionId.describe("Region of the instance."),
  type: TypeId.describe("Type of the instance."),
  label: InstanceLabel.optional(),
  group: Group.optional().meta({ deprecated: true }),
  tags: Tags.optional(),
  backup_id: PartId.optional().describe("Backup to restore, as an alternative to `image`."),
  backups_enabled: z.boolean().optional().meta({ initial: false }).describe("Whether to enable the backup service."),
  booted: Booted,
  swap_size: z.int().min(0).default(512).describe("Size of the swap disk in MB. Requires `image`."),
  private_ip: z
    .boolean()
    .optional()
    .meta({ initial: false })
    .describe("Whether to add a private IPv4 address. It can be added later, but not removed."),
  interfaces: z
    .array(Interface)
    .max(3)
    .optional()
    .describe("Network interfaces. If omitted, the instance has one public interface."),
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
          reason: `must be omitted when restoring backup ${backup_id}, which has its own disks`,
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
    summary: "Create an instance from an image, from a backup, or empty. The instance is billed from its creation.",
    method: "POST",
    path: "/compute/instances",
    scopes: ["computes:read_write"],
    grant: "add_computes",
    body: InstanceCreate,
    result: Instance,
    event: "compute_create",
    decided: [
      "Interfaces are stored in the config that an image deployment creates. An empty instance does not have a config; an instance from a backup has the configs of the backup.",
      "For accounts created since 2019 the platform blocks outgoing traffic to the ports 25, 465 and 587 of all instances. The API does not show this.",
      usersHaveKeys,
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
    summary: "Update the label, tags, alerts, backup schedule or watchdog of an instance.",
    method: "PUT",
    path: one,
    scopes: ["computes:read_write"],
    grant: "read_write",
    body: Instance.pick({ label: true, group: true, tags: true, watchdog_enabled: true })
      .extend({
        alerts: Alerts.partial().describe("Alert thresholds. Omitted thresholds are unchanged."),
        backups: z
          .strictObject({
            schedule: BackupSchedule.partial().describe("Backup schedule. Omitted fields are unchanged."),
          })
          .partial()
          .describe("Backup settings."),
      })
      .partial(),
    result: Instance,
    event: "compute_update",
    source,
  },
  delete: {
    summary: "Delete an instance with its disks, configs and backups. Billing stops.",
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
    summary: "List the volumes attached to an instance.",
    method: "GET",
    path: `${one}/volumes`,
    scopes: ["computes:read_only"],
    query: Paging,
    result: page(Volume),
    source,
  },
  firewalls: {
    summary: "List the firewalls assigned to an instance.",
    method: "GET",
    path: `${one}/firewalls`,
    scopes: ["computes:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(Firewall),
    source,
  },
  nodeBalancers: {
    summary: "List the load balancers that have the instance as a backend.",
    method: "GET",
    path: `${one}/nodebalancers`,
    scopes: ["computes:read_only"],
    grant: "read_only",
    query: Paging,
    result: page(NodeBalancer),
    source,
  },
} satisfies Area;
