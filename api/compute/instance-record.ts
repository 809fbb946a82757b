import { z } from "zod";
import { Created, Id, ImageId, RegionId, Tags, Time, TypeId, Updated } from "../schema/common";

export const InstanceLabel = z
  .string()
  .min(3)
  .max(32)
  .regex(
    /^[a-zA-Z]((?!--|__|\.\.)[a-zA-Z0-9_.-])+$/,
    "must start with a letter and hold only letters, digits, single dashes, single underscores and single periods",
  )
  .describe("Name of the instance for people; one is made up when none is given.");

export const Group = z.string().describe("Old way to sort things for display; tags replace it.");

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
      last_successful: Time.nullable()
        .meta({ volatile: true })
        .describe("When the latest successful backup ended. Null if there is none."),
      schedule: BackupSchedule.describe("When backups are made."),
    })
    .describe("The backup service of the machine."),
  tags: Tags.meta({ filterable: true }),
  watchdog_enabled: z.boolean().describe("Whether the platform boots the machine again after an unexpected power-off."),
  created: Created,
  updated: Updated,
});
