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
import { same } from "../engine/values";

const source = "part 1 · Endpoints · Compute instances";

/** The main config, without its interfaces, which are an input of their own. */
const MainConfig = InstanceConfig.omit({ id: true, label: true, interfaces: true })
  .extend({
    devices: InstanceConfigCreate.shape.devices,
    helpers: InstanceConfig.shape.helpers.partial().describe("Adjustments before a boot."),
  })
  .partial();

const Rescue = z
  .strictObject({
    devices: RescueDevices.optional().describe("Disks and volumes to plug in; a slot that is not named stays empty."),
  })
  .nullable();

export const inputs = InstanceCreate.extend({
  clone_from: Id.optional().describe(
    "Instance to copy, with its disks and configs; the copy is off at first. At most five copies of an instance can be in " +
      "progress at once: if a program declares more, use `dependsOn` to create them one after the other.",
  ),
  clone_disks: InstanceClone.shape.disks,
  clone_configs: InstanceClone.shape.configs,
  region_change: z
    .enum(["replace", "migrate"])
    .default("replace")
    .describe(
      "What a change of `region` does: a new instance, or the same one moved, which takes it down, gives it new addresses and ends its backups.",
    ),
  rescue: Rescue.optional().describe(
    "Boots the rescue system with these devices; `null` boots the machine's own system again. A reboot outside this program is not detected.",
  ),
  booted: z
    .boolean()
    .optional()
    .describe(
      "Whether the instance is powered on. If omitted, it boots once after it is deployed (a copy stays off), and its power is not managed afterwards.",
    ),
  swap_size: InstanceCreate.shape.swap_size
    .unwrap()
    .optional()
    .describe("Size of the swap disk in MB; 512 when absent."),
  alerts: Alerts.partial().optional().describe("Thresholds above which the platform sends a warning."),
  backups: z
    .strictObject({ schedule: BackupSchedule.partial().describe("When backups are made.") })
    .optional()
    .describe("When the backups are made."),
  watchdog_enabled: Instance.shape.watchdog_enabled.optional(),
  config: MainConfig.optional().describe("How the machine boots: its main config, which is created if there is none."),
  allow_reboot: z.boolean().default(true).describe("Whether an update may shut the machine down and boot it again."),
  resize_disks: z.boolean().default(true).describe("Whether the disks follow when the type changes."),
});

type Inputs = z.output<typeof inputs>;

/** Inputs that a copy takes from its original. */
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
          yield { field, reason: `must be absent: the instance is a copy of ${clone_from} and brings its own` };
    },
    source,
  },
  {
    reads: ["clone_from", "clone_disks", "clone_configs"],
    *check({ clone_from, ...want }) {
      for (const field of ["clone_disks", "clone_configs"] as const)
        if (clone_from === undefined && want[field] !== undefined)
          yield { field, reason: `must be absent without ${camel("clone_from")}` };
    },
    source,
  },
  {
    reads: ["rescue", "booted"],
    *check({ rescue, booted }) {
      if (rescue && booted === false)
        yield {
          field: "rescue",
          reason: "must be absent or null while booted is false: the rescue system is a boot of its own",
        };
    },
    source: `${source} · rule 10`,
  },
];

/** Inputs whose change takes the instance down. */
const needsReboot = ["type", "root_pass", "config", "interfaces", "region", "rescue"] as const;

/** Refuses, before anything is done, a change that takes down an instance that must not go down. */
export function* rebootCheck(want: Partial<Inputs>, was: Partial<Inputs>): Iterable<Problem> {
  if (want.allow_reboot !== false || was.booted === false) return;
  const down = needsReboot.filter((key) => want[key] !== undefined && !same(want[key], was[key]));
  if (down.length) {
    const reason = `must be true for this change: ${down.map(camel).join(" and ")} can't change without a shutdown and a boot`;
    yield { path: ["allow_reboot"], reason };
  }
}

export const privateIpStays =
  "must be true or omitted: private addresses cannot be removed. " +
  'To get an instance without one, replace it: run "pulumi up --target-replace" with its URN';

export function* privateIpCheck(want: Partial<Inputs>, was: Partial<Inputs>): Iterable<Problem> {
  if (want.private_ip === false && was.private_ip) yield { path: ["private_ip"], reason: privateIpStays };
}
