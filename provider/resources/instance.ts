import { z } from "zod";
import {
  Alerts,
  BackupSchedule,
  configRules,
  Id,
  Instance,
  InstanceClone,
  InstanceConfig,
  InstanceCreate,
  instanceCreateRules,
  instances,
  within,
} from "../../api";
import { type Fate, type Purpose, resource } from "../engine/resource";
import { bodyOf } from "./body";
import { MainConfig, mainConfig, reconfigure } from "./instance-main-config";
import { makeInstance, originRules } from "./instance-origin";
import { passwordSetter } from "./instance-password";
import { rebootGuard, rebootNote, refuseOverfullDisks, unlessForbidden } from "./instance-power";
import { addPrivateAddress, hasPrivateAddress, privateAddress, privateIpGuard } from "./instance-private-ip";
import { Rescue, rescueOrBack, rescueRules } from "./instance-rescue";
import { underWay } from "./instance-states";
import { detachVolumes } from "./instance-volumes";
import { boot, locked, powered, seenAs, settled, shutDown, whileOff } from "./machine";

const source = "part 1 · Endpoints · Compute instances";

const atDeployment = {
  kept: 'used only when the disk is deployed, so the instance stays as it is; to deploy it anew run "pulumi up --target-replace" with its URN',
};

const atCopy = { kept: "used only when the copy is made, so the instance stays as it is" };

type Deployed = { image?: string | undefined; backup_id?: number | undefined; booted?: boolean | undefined };

/** A machine that is deployed boots by itself. */
const deployed = ({ image, backup_id, booted }: Deployed, purpose: Purpose): Fate =>
  purpose === "create" && (image || backup_id) && booted !== false ? "wait" : "ready";

export const instance = resource({
  kind: "Instance",
  summary: "A virtual machine, deployed from an image or empty.",
  source,
  area: "instances",
  inputs: InstanceCreate.extend({
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
      "Boots the rescue system with these devices; `null` boots the machine's own system again. Nothing shows whether somebody else rebooted it since.",
    ),
    booted: z
      .boolean()
      .optional()
      .describe(
        "Whether the machine runs. Absent, it boots once after it is deployed (a copy stays off), and its power is nobody's business from then on.",
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
    config: MainConfig.optional().describe("How the machine boots: its main config, which is made when there is none."),
    allow_reboot: z.boolean().default(true).describe("Whether an update may shut the machine down and boot it again."),
    resize_disks: z.boolean().default(true).describe("Whether the disks follow when the type changes."),
  }),
  outputs: Instance.extend({
    config: InstanceConfig.optional().meta({ volatile: true }),
    stale: z
      .boolean()
      .optional()
      .describe("Whether the machine runs with an older version of its config, as its reboot has failed."),
    private_ipv4: z.string().optional().describe("The private IPv4 address, if the instance has one."),
    resumes: z
      .boolean()
      .optional()
      .describe("Whether a change has failed half-way, and the instance is off until the next update boots it."),
  }),
  changes: {
    label: "edit",
    group: "edit",
    tags: "edit",
    alerts: "edit",
    backups: "edit",
    watchdog_enabled: "edit",
    backups_enabled: "backups",
    private_ip: "address",
    type: "resize",
    root_pass: "password",
    config: "configure",
    interfaces: "configure",
    booted: "power",
    rescue: "rescue",
    region: "migrate",
    image: "replace",
    stackscript_id: "replace",
    stackscript_data: atDeployment,
    authorized_keys: atDeployment,
    authorized_users: atDeployment,
    swap_size: atDeployment,
    backup_id: atDeployment,
    clone_from: atCopy,
    clone_disks: atCopy,
    clone_configs: atCopy,
    region_change: "local",
    allow_reboot: "local",
    resize_disks: "local",
  },
  exceptions: {
    backups_enabled: "`instanceBackups.enable` and `instanceBackups.cancel` turn the service on and off",
    private_ip: "`instanceAddresses.allocate` adds the address; nothing removes it, so `true` cannot become `false`",
    type: "`instances.resize` moves the machine to the other type",
    root_pass:
      "`instances.resetPassword` sets it, or `instanceDisks.resetPassword` where there are several disks in addition to swap, between `instances.shutdown` and `instances.boot` if the machine runs",
    config:
      "`instanceConfigs.update` changes the main config, `instanceConfigs.create` makes it where there is none; `instances.reboot` puts it into effect if the machine runs",
    interfaces:
      "they are part of the main config: `instanceConfigs.update`, or `instanceConfigs.create` where there is none, and `instances.reboot` if the machine runs",
    booted: "`instances.boot` and `instances.shutdown`",
    rescue: "`instances.rescue` boots the rescue system, `instances.reboot` the machine's own again",
    region: "`instances.migrate` moves the machine, gives it new addresses and ends its backups",
  },
  replaces: {
    region: { when: ({ region_change }) => region_change !== "migrate", unless: '`regionChange` is "migrate"' },
  },
  steps: {
    migrate: {
      settles: true,
      announce: (want, was) =>
        [rebootNote(was, `region ${was.region} → ${want.region}`), "its addresses change and its backups end"]
          .filter(Boolean)
          .join("; "),
      run: ({ host, api, path, want: { region } }) =>
        locked(host, path.computeId, async () => {
          await api.instances.migrate({ path, body: { region } });
          await settled(host, path.computeId);
        }),
    },
    edit: {
      run: ({ api, path, changed }) => api.instances.update({ path, body: bodyOf(instances.update.body, changed) }),
    },
    backups: {
      run: ({ api, path, want }) =>
        want.backups_enabled ? api.instanceBackups.enable({ path }) : api.instanceBackups.cancel({ path }),
      announce: ({ backups_enabled }) =>
        backups_enabled ? undefined : "the backup service ends and its backups are deleted",
    },
    address: {
      run: async ({ api, path, want }) => addPrivateAddress(api, path, want),
    },
    resize: {
      settles: true,
      announce: (want, was) => rebootNote(was, `type ${was.type} → ${want.type}`),
      run: ({ host, api, path, want: { type, resize_disks } }) =>
        locked(host, path.computeId, async () => {
          await refuseOverfullDisks(api, path, { type, resize_disks });
          await api.instances.resize({ path, body: { type, allow_auto_disk_resize: resize_disks } });
          await settled(host, path.computeId);
        }),
    },
    password: {
      due: ({ resumes }) => resumes === true,
      announce: (_, was) =>
        was.resumes ? "will boot: an earlier change left it off" : rebootNote(was, "a new root password"),
      run({ host, api, path, want, was, changed: { root_pass }, learn }) {
        const work = {
          host,
          computeId: path.computeId,
          what: "the root password is changed",
          allowed: want.allow_reboot,
          resumes: was.resumes === true,
          learn,
          staysOff: () => (want.booted === false ? "as declared" : undefined),
        } as const;
        if (root_pass === undefined) return whileOff(work);
        return whileOff(work, async () => {
          const set = await passwordSetter({ api, path });
          return () => set(root_pass);
        });
      },
    },
    configure: {
      announce: (want, was) => rebootNote(was, want.interfaces ? "its config or interfaces" : "its config"),
      run: reconfigure,
    },
    power: {
      settles: true,
      announce: ({ booted }) => (booted ? "will boot" : "will shut down"),
      run: ({ host, path: { computeId }, want }) =>
        locked(host, computeId, async (seen, machine) => {
          if (want.booted && !powered(seen)) await boot(host, computeId);
          if (!want.booted && powered(seen)) await shutDown(host, computeId);
          machine.owed = false;
        }),
    },
    rescue: {
      beyondCreation: true,
      announce: ({ rescue }) => (rescue ? "will boot the rescue system" : "will reboot into its own system"),
      run: ({ host, path, want: { rescue } }) => rescueOrBack(host, path.computeId, rescue),
    },
  },
  observe: {
    booted: powered,
    private_ip: hasPrivateAddress,
    backups_enabled: ({ backups }) => backups.enabled,
    // What the machine does not run with is not yet as it is stated.
    config: ({ config, stale }) => (stale ? undefined : config),
    interfaces: ({ config, stale }) => (stale ? undefined : config?.interfaces),
  },
  // A limit of 0 and all the RAM mean the same.
  compare: {
    config: ({ memory_limit, ...config }, { specs }) =>
      memory_limit === undefined ? config : { ...config, memory_limit: memory_limit || specs?.memory },
  },
  defaults: unlessForbidden,
  rules: [...instanceCreateRules, ...originRules, ...within("config", configRules), ...rescueRules],
  guards: [rebootGuard, privateIpGuard],
  autoname: "label",
  key: ["label"],
  timeouts: { create: 1200, update: 3600, delete: 600 },
  states: { ...underWay, running: "ready", offline: deployed, stopped: deployed },
  async create({ api, want }) {
    const { id } = await makeInstance(api, want);
    return { computeId: id };
  },
  /** Configs are a call of their own, made only for programs that state something in them. */
  async read({ host, api, path, want, was }, record) {
    const seen = {
      ...seenAs(host, path.computeId, record),
      stale: was.stale || undefined,
      resumes: was.resumes || undefined,
      private_ipv4: privateAddress(record),
    };
    return want.config || want.interfaces ? { ...seen, config: await mainConfig(api, path) } : seen;
  },
  /** Volumes outlive the instance: they are taken off before it goes. */
  async delete({ host, api, path }) {
    await detachVolumes(host, path);
    await api.instances.delete({ path });
  },
});
