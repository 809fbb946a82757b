import { z } from "zod";
import {
  Alerts,
  BackupSchedule,
  camel,
  configRules,
  Id,
  Instance,
  InstanceClone,
  InstanceConfig,
  InstanceConfigCreate,
  InstanceCreate,
  instanceCreateRules,
  type Problem,
  RescueDevices,
  type Rule,
  rescueRules,
  within,
} from "../../api";
import { isEqual } from "../engine/comparison";

const source = "part 1 · Endpoints · Compute instances";

/** The main boot config of an instance. Its network interfaces are a separate input. */
const MainConfig = InstanceConfig.omit({ id: true, label: true, interfaces: true })
  .extend({
    devices: InstanceConfigCreate.shape.devices.describe(
      "Disks and volumes by device slot, from `sda` to `sdh`. Omitted slots keep their devices; `{}` empties a slot.",
    ),
    helpers: InstanceConfig.shape.helpers
      .partial()
      .describe("Changes that the platform makes to the boot disk before each boot. Omitted settings are unchanged."),
  })
  .partial();

const Rescue = z
  .strictObject({
    devices: RescueDevices.optional().describe("Disks and volumes by device slot. Omitted slots are empty."),
  })
  .nullable();

export const inputs = InstanceCreate.extend({
  clone_from: Id.optional().describe(
    "Instance to clone with its disks and boot configs. The clone is offline at first. At most five clones of an instance can be in progress at once. To create more, use `dependsOn` to create them one after the other.",
  ),
  clone_disks: InstanceClone.shape.disks,
  clone_configs: InstanceClone.shape.configs,
  region_change: z
    .enum(["replace", "migrate"])
    .default("replace")
    .describe(
      "Effect of changing `region`: `replace` creates a new instance; `migrate` moves the instance, which shuts it down, changes its addresses and deletes its backups.",
    ),
  rescue: Rescue.optional().describe(
    "Devices for rescue mode. Setting this boots the instance into rescue mode; `null` reboots it into its normal system. Reboots outside this program are not detected.",
  ),
  booted: z
    .boolean()
    .optional()
    // Without this input, the power state of the instance is not managed.
    .meta({ initial: null })
    .describe(
      "Whether the instance is powered on. If omitted, the instance boots once after creation (a clone or an empty instance stays off), and its power state is not managed afterwards.",
    ),
  swap_size: InstanceCreate.shape.swap_size
    .unwrap()
    .optional()
    .describe("Size of the swap disk in MB. Defaults to 512."),
  interfaces: InstanceCreate.shape.interfaces.describe(
    "Network interfaces. If omitted, a new instance has one public interface, and they are not managed afterwards: to return to it, set `[]`.",
  ),
  alerts: Alerts.partial().optional().describe("Thresholds for alert emails. Omitted thresholds are not managed."),
  backups: z
    .strictObject({ schedule: BackupSchedule.partial().describe("Backup schedule.") })
    .optional()
    .describe("Backup settings."),
  watchdog_enabled: Instance.shape.watchdog_enabled.optional(),
  config: MainConfig.optional().describe(
    "Main boot config of the instance: its oldest one, which it boots unless another one was booted last. If there is none, it is created. If there are several, declare each as an `InstanceConfig` instead.",
  ),
  allow_reboot: z.boolean().default(true).describe("Whether an update may shut the instance down and boot it again."),
  resize_disks: z
    .boolean()
    .default(true)
    .describe(
      "Whether the disk of the instance is resized to the storage of the new type when `type` changes. Only a single ext3 or ext4 disk, in addition to swap, is resized.",
    ),
});

type Inputs = z.output<typeof inputs>;

/** Inputs that a clone of an instance takes from its source. */
const copied = [
  "image",
  "backup_id",
  "root_pass",
  "authorized_keys",
  "authorized_users",
  "stackscript_id",
  "stackscript_data",
  "swap_size",
] as const;

export const rules: Rule<Partial<Inputs>>[] = [
  ...instanceCreateRules,
  ...within("config", configRules),
  ...within("rescue", rescueRules),
  {
    reads: ["clone_from", ...copied],
    *check({ clone_from, ...want }) {
      for (const field of copied)
        if (clone_from !== undefined && want[field] !== undefined)
          yield {
            field,
            reason: `must be omitted: the instance is a clone of ${clone_from} and has the configuration of its source`,
          };
    },
    source,
  },
  {
    reads: ["clone_from", "clone_disks", "clone_configs"],
    *check({ clone_from, ...want }) {
      for (const field of ["clone_disks", "clone_configs"] as const)
        if (clone_from === undefined && want[field] !== undefined)
          yield { field, reason: `must be omitted unless ${camel("clone_from")} is set` };
    },
    source,
  },
  {
    reads: ["rescue", "booted"],
    *check({ rescue, booted }) {
      if (rescue && booted === false)
        yield {
          field: "rescue",
          reason: "must be omitted or null while booted is false: rescue mode requires a running instance",
        };
    },
    source: `${source} · rule 10`,
  },
];

/** Inputs whose change requires that the instance is shut down. */
const needsReboot = ["type", "root_pass", "config", "interfaces", "region", "rescue"] as const;

/** Rejects a change that requires a shutdown if `allowReboot` is false, before any request is sent. */
export function* rebootCheck(want: Partial<Inputs>, olds: Partial<Inputs>): Iterable<Problem> {
  if (want.allow_reboot !== false || olds.booted === false) return;
  const down = needsReboot.filter((key) => want[key] !== undefined && !isEqual(want[key], olds[key]));
  if (down.length) {
    const reason = `must be true for this change: ${down.map(camel).join(" and ")} cannot change without a shutdown and a boot`;
    yield { path: ["allow_reboot"], reason };
  }
}
