import { z } from "zod";
import { allDevices, Instance, InstanceClone, InstanceConfig, InstanceCreate, instances } from "../../api";
import { type Purpose, type ReadinessRule, resource } from "../engine/definition";
import { bodyOf } from "./body";
import { copiesParts, copyAgain } from "./instance-copy";
import { inputs, rebootCheck, rules } from "./instance-inputs";
import { mainConfig, reconfigure } from "./instance-main-config";
import { passwordSetter } from "./instance-password";
import { rebootDefault, rebootNote } from "./instance-reboot";
import { migrate, migrationNote } from "./instance-region";
import { resize } from "./instance-resize";
import { detachVolumes } from "./instance-volumes";
import { boot, isLeftOff, locked, settled, shutDown, whileOff, withStatusDuringChange } from "./machine";
import { powered, powerOf, underWay } from "./machine-status";
import { lockTagsIfChanged } from "./object-locks";
import { addPrivateAddress, privateAddress } from "./private-address";

const atDeployment = {
  change: "writeOnly",
  note: 'the value is used only when the disk is deployed; to apply a new one, replace the instance with "pulumi up --target-replace" and its URN, which deletes its disks, backups and addresses; if the program sets its label, first add the resource option deleteBeforeReplace',
} as const;

const atCopy = { change: "writeOnly", note: "the value is used only when the instance is created as a clone" } as const;

interface Rescued {
  want: { booted?: unknown; rescue?: unknown };
  state: { rescue?: unknown };
  observed: { status?: Instance["status"] | undefined; resumes?: unknown; stale?: unknown };
}

/** Whether an instance that the program had in rescue mode is on, or is booted because it was left off or is declared as on. */
const leavesRescue = ({ want, state, observed: { status, resumes, stale } }: Rescued): boolean =>
  Boolean(state.rescue && (status !== "offline" || resumes || stale || want.booted));

/**
 * An update that boots the instance into its normal system. If the instance was in rescue mode, the step `rescue`, which
 * is the last one, then runs again: in the next update if this one fails halfway.
 */
const leavingRescue =
  <S>(run: (step: S) => Promise<unknown>) =>
  async (step: S & Rescued & { setState(values: { rescue: undefined }): void }): Promise<void> => {
    const isLeft = leavesRescue(step);
    try {
      await run(step);
    } finally {
      if (isLeft) step.setState({ rescue: undefined });
    }
  };

/** The side effect of such an update, for the preview. */
const withRescue = (
  { want, state }: Pick<Rescued, "want"> & { state: Rescued["state"] & Rescued["observed"] },
  note: string | undefined,
): string | undefined =>
  note !== undefined && want.rescue && leavesRescue({ want, state, observed: state })
    ? `${note}; then it reboots into rescue mode again`
    : note;

export const instance = resource({
  name: "Instance",
  summary:
    "Manages a virtual machine, deployed from an image, from a backup, as a clone, or empty. Deleting or replacing it deletes its disks, configs and backups, and detaches its volumes.",
  elsewhere: {
    terraform: "linode_instance",
    pulumi: "Instance",
    note: {
      terraform:
        "`root_pass` is required with `image`. `disk` and `config` blocks are `InstanceDisk` and `InstanceConfig`.",
      pulumi: "`rootPass` is required with `image`. `disks` and `configs` are `InstanceDisk` and `InstanceConfig`.",
    },
  },
  inputs,
  outputs: Instance.extend({
    config: InstanceConfig.optional().meta({ volatile: true }),
    booted: inputs.shape.booted.meta({ volatile: true }),
    stale: z
      .boolean()
      .optional()
      .describe("Whether the instance runs with an older version of its config, because the reboot failed."),
    private_ipv4: z.string().optional().describe("Private IPv4 address, if the instance has one."),
    copying: z
      .boolean()
      .optional()
      .describe("Whether it is not known yet that a clone has the disks of its source. The next update checks it."),
    resumes: z
      .boolean()
      .optional()
      .describe("Whether a change failed and left the instance offline. The next update boots it."),
  }),
  identity: {
    area: "instances",
    autoname: "label",
    /** Boot configs are read only if the program declares a part of them, because reading them costs a request. */
    async extend({ host, api, path, want, state }, record) {
      const observed = {
        ...withStatusDuringChange(host, path.computeId, record),
        // During a migration, for example, the status does not show whether the instance is on, so state keeps its value.
        booted: powerOf(record) ?? state.booted,
        stale: state.stale || undefined,
        resumes: isLeftOff(host, path.computeId, state, record),
        private_ipv4: privateAddress(record),
        copying: state.copying || undefined,
      };
      return want.config || want.interfaces ? { ...observed, config: await mainConfig(api, path) } : observed;
    },
    lostCreate: { match: ["label"] },
  },
  inventory: {
    file: "compute",
    list: "operation",
    title: "label",
    refersTo: { image: "images" },
    addresses: ({ ipv4 }) => ipv4 ?? [],
    declares: {
      image: ["instanceConfigs", "instanceDisks"],
      clone_from: ["instanceConfigs", "instanceDisks"],
      backup_id: ["instanceConfigs", "instanceDisks"],
      config: ["instanceConfigs"],
      interfaces: ["instanceConfigs"],
    },
    createsNested: ({ image }) => Boolean(image),
  },
  fields: {
    label: "edit",
    group: "edit",
    tags: "edit",
    alerts: "edit",
    backups: "edit",
    watchdog_enabled: "edit",
    backups_enabled: {
      change: "backups",
      by: ["instanceBackups.enable", "instanceBackups.cancel"],
      note: "`false` cancels the backup service and deletes all backups",
      touches: ["backups"],
      current: ({ backups }) => backups?.enabled,
    },
    private_ip: {
      change: "address",
      by: ["instanceAddresses.allocate"],
      touches: ["ipv4", "private_ipv4"],
      note: "a private address is added; `true` cannot change to `false`",
      current: (observed) => privateAddress(observed) !== undefined,
      unsupported(current, declared) {
        if (!current || declared) return undefined;
        const reason =
          "must be true or omitted: private addresses cannot be removed. " +
          'To remove the address, replace the instance: run "pulumi up --target-replace" with the URN of the instance; if the program sets its label, first add the resource option deleteBeforeReplace';
        return { keeps: true, reason };
      },
    },
    type: {
      change: "resize",
      by: ["instances.resize"],
      touches: ["specs", "booted"],
      note: "a running instance shuts down and boots again",
    },
    root_pass: {
      change: "password",
      by: ["instances.shutdown", "instances.resetPassword", "instanceDisks.resetPassword", "instances.boot"],
      note: "a running instance shuts down and boots again; if it has several disks in addition to swap, only the password of its root disk is reset",
    },
    config: {
      change: "configure",
      by: ["instanceConfigs.update", "instanceConfigs.create", "instances.reboot"],
      touches: ["config"],
      note: "a running instance reboots",
      current: ({ config }) => config,
      // A memory limit of 0 equals all RAM of the instance.
      canonical: ({ memory_limit, ...config }, { specs }) =>
        memory_limit === undefined ? config : { ...config, memory_limit: memory_limit || specs?.memory },
    },
    interfaces: {
      change: "configure",
      by: ["instanceConfigs.update", "instanceConfigs.create", "instances.reboot"],
      note: "the main boot config, which is the oldest one, contains the interfaces: it is updated, or created if there is none; a running instance reboots",
      current: ({ config }) => config?.interfaces,
    },
    booted: {
      change: "power",
      by: ["instances.boot", "instances.shutdown"],
      touches: ["status"],
      // An instance that an interrupted change has left off was on before, by declaration or by hand.
      current: ({ booted, resumes, stale }) => resumes || stale || booted,
    },
    rescue: {
      change: "rescue",
      touches: ["status"],
      by: ["instances.rescue", "instances.reboot"],
      note: "the instance reboots into rescue mode; `null` reboots it into its normal system",
      // Omitted slots are empty.
      canonical({ devices = {} }) {
        const { sdh: _, ...slots } = allDevices(devices);
        return { devices: slots };
      },
    },
    region: {
      change: "migrate",
      by: ["instances.migrate"],
      touches: ["ipv4", "private_ipv4", "ipv6", "backups", "booted"],
      note: "a migration changes the addresses of the instance, deletes its backups, and detaches its volumes, which stay in their region",
      replaceUnless: { region_change: "migrate" },
    },
    image: "replace",
    stackscript_id: { change: "replace", replaceReason: "the script sets up the system when the image is deployed" },
    stackscript_data: atDeployment,
    authorized_keys: atDeployment,
    authorized_users: atDeployment,
    swap_size: atDeployment,
    backup_id: atDeployment,
    clone_from: atCopy,
    clone_disks: atCopy,
    clone_configs: atCopy,
    region_change: "local",
    allow_reboot: { change: "local", default: rebootDefault },
    resize_disks: "local",
  },
  steps: {
    copy: {
      when: ({ copying }) => copying === true,
      preview: () => "will copy the disks of the instance's source again if they are missing",
      async run({ host, path, want, state, setState }) {
        await copyAgain(host, path, state.clone_from === undefined ? want : state);
        setState({ copying: undefined });
      },
    },
    migrate: {
      awaitInputs: true,
      preview: async (change) => withRescue(change, await migrationNote(change)),
      run: leavingRescue(migrate),
    },
    edit: {
      run: ({ host, api, path, changed }) =>
        lockTagsIfChanged(host, ["instances", path.computeId], changed, () =>
          api.instances.update({ path, body: bodyOf(instances.update.body, changed) }),
        ),
    },
    backups: {
      preview: ({ want }) =>
        want.backups_enabled ? undefined : "the backup service is cancelled and its backups are deleted",
      run: ({ api, path, want }) =>
        want.backups_enabled ? api.instanceBackups.enable({ path }) : api.instanceBackups.cancel({ path }),
    },
    address: {
      run: ({ host, path }) => addPrivateAddress(host, path),
    },
    resize: {
      awaitInputs: true,
      preview: (change) =>
        withRescue(change, rebootNote(change.state, `its type from ${change.state.type} to ${change.want.type}`)),
      run: leavingRescue(resize),
    },
    password: {
      when: ({ resumes }) => resumes === true,
      preview: (change) =>
        withRescue(
          change,
          change.state.resumes
            ? "will boot, because an earlier change left it offline"
            : rebootNote(change.state, "its root password"),
        ),
      run: leavingRescue(({ host, api, path, want, state, changed: { root_pass }, setState }) => {
        const work = {
          host,
          computeId: path.computeId,
          what: "the root password is changed",
          allowed: want.allow_reboot,
          resumes: state.resumes === true,
          setState,
          staysOff: () => (want.booted === false ? "as declared" : undefined),
        } as const;
        if (root_pass === undefined) return whileOff(work);
        return whileOff(work, async () => {
          const set = await passwordSetter({ api, path });
          return () => set(root_pass);
        });
      }),
    },
    configure: {
      // If a reboot failed, the instance still runs with the old boot config.
      when: ({ stale }) => stale === true,
      preview: (change) =>
        withRescue(
          change,
          change.state.stale
            ? "will reboot, because the reboot after an earlier change has failed"
            : rebootNote(change.state, change.want.interfaces ? "its config or interfaces" : "its config"),
        ),
      run: leavingRescue(reconfigure),
    },
    power: {
      awaitInputs: true,
      preview: (change) => withRescue(change, change.want.booted ? "will boot" : "will shut down"),
      run: leavingRescue(({ host, path: { computeId }, want }) =>
        locked(host, computeId, async (observed, machine) => {
          if (want.booted && !powered(observed)) await boot(host, computeId);
          if (!want.booted && powered(observed)) await shutDown(host, computeId);
          machine.isBootPending = false;
        }),
      ),
    },
    rescue: {
      afterCreate: true,
      preview: ({ want }) => (want.rescue ? "will reboot into rescue mode" : "will reboot into its normal system"),
      run: ({ host, api, path, want: { rescue } }) =>
        locked(host, path.computeId, async (observed, machine) => {
          if (rescue) await api.instances.rescue({ path, body: rescue });
          else if (powered(observed)) await boot(host, path.computeId);
          machine.isBootPending = false;
          await settled(host, path.computeId);
        }),
    },
  },
  checks: { rules, onChange: [rebootCheck] },
  readiness: { byStatus: { ...underWay, running: "ready", offline: deployed, stopped: deployed } },
  // The status of a clone does not show whether the service has copied the disks of its source.
  initialState: ({ clone_from }) => ({ copying: clone_from !== undefined || undefined }),
  async create({ api, host, want, setState }) {
    const { clone_from, clone_disks: disks, clone_configs: configs } = want;
    if (clone_from === undefined) {
      const { id } = await api.instances.create({ body: bodyOf(InstanceCreate, want) });
      return { computeId: id };
    }
    const body = { ...bodyOf(InstanceClone.omit({ compute_id: true }), want), disks, configs };
    // Asked before the clone request, because the source can change during it.
    if (!(await copiesParts(host, want))) setState({ copying: undefined });
    const { id } = await api.instances.clone({ path: { computeId: clone_from }, body });
    return { computeId: id };
  },
  delete: {
    /** Volumes are detached first, so that they are not deleted with the instance. */
    async run({ host, api, path }) {
      await detachVolumes(host, path, "could be deleted with it");
      await api.instances.delete({ path });
    },
  },
  timeouts: { create: 1200, update: 3600, delete: 600 },
});

/** Whether the instance is deployed from an image or a backup, and therefore boots by itself. */
function deployed({ image, backup_id, booted }: z.output<typeof inputs>, purpose: Purpose): ReadinessRule {
  return purpose === "create" && (image || backup_id) && booted !== false ? "wait" : "ready";
}
