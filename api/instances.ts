import { z } from "zod";
import { Created, Empty, Id, ImageId, Paging, page, RegionId, Tags, Time, TypeId, Updated } from "./common";
import { Deployment, deploymentRules, RootPassword } from "./deployment";
import { Firewall } from "./firewalls";
import { Interface, interfaceRules } from "./interfaces";
import { NodeBalancer } from "./node-balancers";
import type { Area } from "./operation";
import type { Rule } from "./rule";
import { Volume } from "./volumes";

export const InstanceLabel = z
  .string()
  .min(3)
  .max(32)
  .regex(
    /^[a-zA-Z]((?!--|__|\.\.)[a-zA-Z0-9_.-])+$/,
    "must start with a letter and hold only letters, digits, single dashes, single underscores and single periods",
  )
  .describe("Name of the instance for people; one is made up when none is given.");

const Group = z.string().describe("Old way to sort things for display; tags replace it.");

export type Alerts = z.output<typeof Alerts>;
/** Thresholds above which the platform sends a warning. */
export const Alerts = z.strictObject({
  cpu: z.int().describe("Percentage of CPU use."),
  io: z.int().describe("Disk operations a second."),
  network_in: z.int().describe("Incoming traffic in Mbit/s."),
  network_out: z.int().describe("Outgoing traffic in Mbit/s."),
  transfer_quota: z.int().describe("Percentage of the month's transfer."),
});

export type BackupSchedule = z.output<typeof BackupSchedule>;
/** When the weekly and daily backups are made. */
export const BackupSchedule = z.strictObject({
  day: z
    .enum(["Scheduling", "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"])
    .nullable()
    .describe("Day of the weekly backup; `Scheduling` lets the platform choose."),
  window: z
    .enum(["Scheduling", "W0", "W2", "W4", "W6", "W8", "W10", "W12", "W14", "W16", "W18", "W20", "W22"])
    .nullable()
    .describe("Two hours, named by their first hour in UTC; `Scheduling` lets the platform choose."),
});

export type Instance = z.output<typeof Instance>;
/** A virtual machine. */
export const Instance = z.strictObject({
  id: Id.meta({ filterable: true }),
  label: InstanceLabel.meta({ filterable: true }),
  group: Group.meta({ filterable: true, deprecated: true }),
  status: z
    .enum([
      "running",
      "offline",
      "booting",
      "rebooting",
      "shutting_down",
      "provisioning",
      "deleting",
      "migrating",
      "rebuilding",
      "cloning",
      "restoring",
      "stopped",
    ])
    .describe("What the machine is doing; can change without anybody's request."),
  type: TypeId.describe("Size of the machine."),
  region: RegionId.meta({ filterable: true }).describe("Region that the machine is in."),
  image: ImageId.nullable().meta({ filterable: true }).describe("Image that the disk was deployed from, if any."),
  hypervisor: z.enum(["kvm"]).describe("What runs the machine."),
  ipv4: z
    .array(z.string())
    .meta({ filterable: true })
    .describe("Public and private IPv4 addresses, the first one first."),
  ipv6: z.string().nullable().describe("The machine's own IPv6 address with `/128`."),
  specs: z
    .strictObject({
      disk: z.int().describe("Storage in MB."),
      memory: z.int().describe("RAM in MB."),
      vcpus: z.int().describe("Number of virtual CPUs."),
      transfer: z.int().describe("Traffic in GB a month."),
    })
    .describe("What the type provides."),
  alerts: Alerts.describe("Thresholds above which the platform sends a warning."),
  backups: z
    .strictObject({
      enabled: z.boolean().describe("Whether the backup service is on."),
      last_successful: Time.optional().meta({ volatile: true }).describe("When the latest backup ended well."),
      schedule: BackupSchedule.describe("When backups are made."),
    })
    .describe("The backup service of the machine."),
  tags: Tags.meta({ filterable: true }),
  watchdog_enabled: z.boolean().describe("Whether the platform boots the machine again after an unexpected power-off."),
  created: Created,
  updated: Updated,
});

const Booted = z.boolean().default(true).describe("Whether to boot the machine once it is deployed.");

export type InstanceCreate = z.output<typeof InstanceCreate>;
export const InstanceCreate = Deployment.extend({
  region: RegionId.describe("Region to create the machine in."),
  type: TypeId.describe("Size of the machine."),
  label: InstanceLabel.optional(),
  group: Group.optional().meta({ deprecated: true }),
  tags: Tags.optional(),
  backup_id: Id.optional().describe("Backup of another instance to restore from, instead of an image."),
  backups_enabled: z.boolean().optional().describe("Whether to turn on the backup service."),
  booted: Booted,
  swap_size: z.int().min(0).default(512).describe("Size of the swap disk in MB; only used with an image."),
  private_ip: z.boolean().optional().describe("Whether to add a private IPv4 address."),
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

export type InstanceRebuild = z.output<typeof InstanceRebuild>;
export const InstanceRebuild = Deployment.extend({ booted: Booted }).required({ image: true, root_pass: true });

const one = "/compute/instances/{computeId}";
const source = "part 1 · Endpoints · Compute instances";
const Boot = z
  .strictObject({
    config_id: Id.describe("Config to boot; needed only if there are several and none was booted before."),
  })
  .partial();

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
  boot: {
    summary: "Boot an instance that is offline.",
    method: "POST",
    path: `${one}/boot`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    body: Boot,
    result: Empty,
    event: "compute_boot",
    source,
  },
  reboot: {
    summary: "Reboot an instance.",
    method: "POST",
    path: `${one}/reboot`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    body: Boot,
    result: Empty,
    event: "compute_reboot",
    source,
  },
  shutdown: {
    summary: "Shut an instance down.",
    method: "POST",
    path: `${one}/shutdown`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    result: Empty,
    event: "compute_shutdown",
    source,
  },
  resize: {
    summary: "Move an instance to another type; it goes through a shutdown.",
    method: "POST",
    path: `${one}/resize`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    body: z.strictObject({
      type: TypeId.describe("New size of the machine."),
      allow_auto_disk_resize: z.boolean().default(true).describe("Whether the disks follow the new size."),
    }),
    result: Empty,
    event: "compute_resize",
    source,
  },
  rebuild: {
    summary: "Delete an instance's disks and configs and deploy an image in their place.",
    method: "POST",
    path: `${one}/rebuild`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    body: InstanceRebuild,
    result: Instance,
    event: "compute_rebuild",
    source,
  },
  resetPassword: {
    summary: "Set the root password of an instance that is offline.",
    method: "POST",
    path: `${one}/password`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    body: z.strictObject({ root_pass: RootPassword }),
    result: Empty,
    event: "password_reset",
    source,
  },
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
