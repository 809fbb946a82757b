import { z } from "zod";
import { Created, Id, ImageId, RegionId, Tags, Time, TypeId, Updated } from "../schema/common";

export const InstanceLabel = z
  .string()
  .min(3)
  // The pattern backtracks, which fails for texts of millions of characters.
  .max(32, { abort: true })
  .regex(
    /^[a-zA-Z]((?!--|__|\.\.)[a-zA-Z0-9_.-])+$/,
    "must start with a letter and contain only letters, digits, single dashes, single underscores and single periods",
  )
  .describe("Label of the instance. If omitted, a label is generated.");

export const Group = z.string().describe("Group of the instance. Deprecated: use tags.");

const initial = { io: 10_000, network_in: 10, network_out: 10, transfer_quota: 80 };

/** The thresholds of a new instance with a number of virtual CPUs. */
export const initialAlerts = (vcpus: number) => ({ cpu: 90 * vcpus, ...initial });

export type Alerts = z.output<typeof Alerts>;
/** Thresholds for alert emails. */
export const Alerts = z.strictObject({
  cpu: z
    .int()
    .meta({ initial: ({ specs }: Pick<Instance, "specs">) => initialAlerts(specs.vcpus).cpu })
    .describe("CPU usage in percent above which an alert email is sent."),
  io: z
    .int()
    .meta({ initial: initial.io })
    .describe("Disk I/O operations per second above which an alert email is sent."),
  network_in: z
    .int()
    .meta({ initial: initial.network_in })
    .describe("Incoming traffic in Mbit/s above which an alert email is sent."),
  network_out: z
    .int()
    .meta({ initial: initial.network_out })
    .describe("Outgoing traffic in Mbit/s above which an alert email is sent."),
  transfer_quota: z
    .int()
    .meta({ initial: initial.transfer_quota })
    .describe("Network transfer in percent of the monthly quota above which an alert email is sent."),
});

export type BackupSchedule = z.output<typeof BackupSchedule>;
export const BackupSchedule = z.strictObject({
  day: z
    .enum(["Scheduling", "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"])
    .nullable()
    .meta({ initial: "Scheduling" })
    .describe("Day of the weekly backup. `Scheduling` lets the platform choose."),
  window: z
    .enum(["Scheduling", "W0", "W2", "W4", "W6", "W8", "W10", "W12", "W14", "W16", "W18", "W20", "W22"])
    .nullable()
    .meta({ initial: "Scheduling" })
    .describe("Two-hour window of the backups, named by its first hour in UTC. `Scheduling` lets the platform choose."),
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
    .describe("Status of the instance. The platform can change it, for example during maintenance."),
  type: TypeId.describe("Type of the instance."),
  region: RegionId.meta({ filterable: true }).describe("Region of the instance."),
  image: ImageId.nullable()
    .meta({ filterable: true })
    .describe("Image that the instance was deployed from. Null if there is none."),
  hypervisor: z.enum(["kvm"]).describe("Hypervisor of the instance."),
  ipv4: z
    .array(z.string())
    .meta({ filterable: true })
    .describe("IPv4 addresses of the instance, in order of assignment."),
  ipv6: z.string().nullable().describe("IPv6 SLAAC address of the instance, with the prefix length `/128`."),
  specs: z
    .strictObject({
      disk: z.int().describe("Storage in MB."),
      memory: z.int().describe("Memory in MB."),
      vcpus: z.int().describe("Number of virtual CPUs."),
      transfer: z.int().describe("Network transfer in GB per month."),
    })
    .describe("Memory, storage, CPUs and network transfer that the type of the instance includes."),
  alerts: Alerts.describe("Thresholds for alert emails."),
  backups: z
    .strictObject({
      enabled: z.boolean().describe("Whether the backup service is enabled."),
      last_successful: Time.nullable()
        .meta({ volatile: true })
        .describe("End of the latest successful backup in UTC. Null if there is none."),
      schedule: BackupSchedule.describe("Backup schedule."),
    })
    .describe("Backup service of the instance."),
  tags: Tags.meta({ filterable: true }),
  watchdog_enabled: z
    .boolean()
    .meta({ initial: true })
    .describe("Whether the platform boots the instance again after an unexpected power-off."),
  created: Created,
  updated: Updated,
});
