import { z } from "zod";
import { Disk, DiskCreate, deviceNames, diskCreateRules, Id, type InstanceConfig } from "../../api";
import { ApiError } from "../client/errors";
import { resource } from "../engine/definition";
import type { Host } from "../engine/host";
import { bodyOf } from "./body";
import { instanceName, rebootDefault } from "./instance-reboot";
import { isLeftOff, locked, type OffWork, settled, whileOff } from "./machine";
import { powered } from "./machine-status";

const atDeployment = {
  change: "writeOnly",
  note: 'the value is used only when the disk is created; to create it again, run "pulumi up --target-replace" with the URN of the disk; unless the instance has space for both, first add the resource option deleteBeforeReplace',
} as const;

export const instanceDisk = resource({
  name: "InstanceDisk",
  summary:
    "Manages a disk in the storage of an instance. " +
    "Resizing a disk, changing its password, deleting and replacing it shut a running instance down and boot it again. It stays off if it has no disk left to boot from. Previews show this except for a deletion.",
  elsewhere: { terraform: "linode_instance_disk", pulumi: "InstanceDisk" },
  inputs: DiskCreate.extend({
    compute_id: Id.describe("Instance that the disk belongs to."),
    size: DiskCreate.shape.size.describe(
      "Size of the disk in MB. The disks of an instance share the storage of its type. In one update, a larger type is applied before larger disks. To change to a smaller type, first reduce the disks in one update, then change the type in the next. Set `resizeDisks` to false on the instance. Otherwise, if the instance has only one disk, that disk is resized with the type.",
    ),
    label: DiskCreate.shape.label.describe("Label of the disk. Defaults to the label of the image."),
    allow_reboot: z
      .boolean()
      .default(true)
      .describe(
        "Whether a running instance may be shut down and booted again to change the disk. Deleting the disk does not require this permission.",
      ),
  }),
  outputs: Disk.extend({
    resumes: z
      .boolean()
      .optional()
      .describe("Whether a change failed and left the instance offline. The next update boots it."),
  }),
  identity: {
    area: "instanceDisks",
    parents: { compute_id: "computeId" },
    extend: async ({ host, path, state }, record) => ({ ...record, resumes: isLeftOff(host, path.computeId, state) }),
    lostCreate: { match: ["label", "size", "filesystem"] },
  },
  inventory: { file: "compute", list: "operation", title: "label", refersTo: { image: "images" } },
  fields: {
    label: "edit",
    size: {
      change: "rework",
      by: ["instances.shutdown", "instanceDisks.resize", "instances.boot"],
      note: "a running instance shuts down and boots again",
    },
    root_pass: {
      change: "rework",
      by: ["instances.shutdown", "instanceDisks.resetPassword", "instances.boot"],
      note: "a running instance shuts down and boots again",
    },
    compute_id: "replace",
    image: { change: "replace", replaceReason: "a disk with another image has other data" },
    filesystem: "replace",
    stackscript_id: { change: "replace", replaceReason: "the script sets up the system when the image is deployed" },
    stackscript_data: atDeployment,
    authorized_keys: atDeployment,
    authorized_users: atDeployment,
    allow_reboot: { change: "local", default: rebootDefault },
  },
  steps: {
    edit: { run: ({ api, path, want: { label } }) => api.instanceDisks.update({ path, body: { label } }) },
    rework: {
      // An earlier change left the instance offline.
      when: ({ resumes }) => resumes === true,
      preview: async ({ want, state, host }) => {
        const name = await instanceName(want, host);
        if (state.resumes) return `${name} will boot, because an earlier change left it offline`;
        return offNote(name, want, reworks(want, state).join(" and "));
      },
      run({ host, api, path, want, changed, observed, state, setState, waitUntilReady }) {
        const work: OffWork = {
          host,
          computeId: path.computeId,
          what: `disk ${path.diskId} is changed`,
          allowed: want.allow_reboot !== false,
          resumes: state.resumes === true,
          setState,
        };
        // If neither the size nor the password differs, an earlier attempt has changed the disk, but has failed to boot
        // the instance afterwards.
        if (observed.size === want.size && changed.root_pass === undefined) return whileOff(work);
        return whileOff(work, () => async () => {
          if (observed.size !== want.size) await api.instanceDisks.resize({ path, body: { size: want.size } });
          const { size } = await waitUntilReady();
          if (size !== want.size) throw new Error(`Disk ${path.diskId} was not resized: its size is still ${size} MB`);
          if (changed.root_pass === undefined) return;
          await api.instanceDisks.resetPassword({ path, body: { password: changed.root_pass } });
          await settled(host, path.computeId);
        });
      },
    },
  },
  checks: { rules: diskCreateRules },
  readiness: { byStatus: { ready: "ready", "not ready": "wait", deleting: "failed" } },
  async create({ host, api, want }) {
    const computeId = want.compute_id;
    const { id } = await locked(host, computeId, () =>
      api.instanceDisks.create({ path: { computeId }, body: bodyOf(DiskCreate, want) }).catch(explain),
    );
    return { computeId, diskId: id };
  },
  delete: {
    effect:
      "deleting the former disk shuts the instance down, if it is running, and boots it again if it has a disk left to boot from",
    async run({ host, api, path, state }) {
      const { computeId } = path;
      if (powered(await settled(host, computeId)))
        host.warn(`instance ${computeId} shuts down and boots again, because disk ${path.diskId} is deleted`);
      let isBootable = true;
      const staysOff = () => (isBootable ? undefined : "it has no disk left to boot from");
      const what = `disk ${path.diskId} is deleted`;
      // A failed change of the disk can have left the instance offline.
      const resumes = state.resumes === true;
      await whileOff({ host, computeId, what, allowed: true, resumes, staysOff }, async () => {
        isBootable = await bootsWithout(api, path);
        return () => api.instanceDisks.delete({ path });
      });
    },
  },
  timeouts: { create: 1200, update: 3600 },
});

interface Rework {
  size?: number | undefined;
  root_pass?: string | undefined;
}

const reworks = (want: Rework, olds: Rework): string[] => [
  ...(want.size === olds.size ? [] : [`the size of the disk from ${olds.size} to ${want.size} MB`]),
  ...(want.root_pass === undefined || want.root_pass === olds.root_pass ? [] : ["the root password"]),
];

/**
 * The warning for a change that requires an offline instance. The preview does not know whether the instance is
 * running, because the API does not return that for a disk.
 */
const offNote = (name: string, { allow_reboot }: { allow_reboot: boolean }, what: string): string =>
  allow_reboot
    ? `${name} will shut down and boot, if it is running, to change ${what}`
    : `${name} must be off to change ${what}, because allowReboot is false`;

/**
 * Whether the instance can boot after the disk has been deleted: it has boot configs, and none of them uses the disk as
 * root device. All of them are checked, because the API does not return which one the instance boots.
 */
async function bootsWithout(
  api: Host["api"],
  { computeId, diskId }: { computeId: number; diskId: number },
): Promise<boolean> {
  const configs = await Array.fromAsync(api.instanceConfigs.list.all({ path: { computeId } }));
  return configs.length > 0 && !configs.some((config) => isRoot(config, diskId));
}

function isRoot({ devices, root_device }: InstanceConfig, diskId: number): boolean {
  const root = deviceNames.filter((name) => root_device === `/dev/${name}`);
  return (root.length ? root : deviceNames).some((name) => devices[name]?.disk_id === diskId);
}

/** Adds a hint to an error about a lack of space: the disk that is being replaced may occupy the space. */
function explain(error: unknown): never {
  if (!(error instanceof ApiError) || !error.reasons.some(({ field }) => field === "size")) throw error;
  const hint = "if this disk replaces another, set the resource option deleteBeforeReplace to free its space first";
  throw new ApiError(error.operation, error.status, error.reasons, hint);
}
