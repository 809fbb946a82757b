import { z } from "zod";
import { Disk, DiskCreate, deviceNames, diskCreateRules, Id, type InstanceConfig } from "../../api";
import { ApiError } from "../client/errors";
import { resource } from "../engine/definition";
import type { Host } from "../engine/host";
import { bodyOf } from "./body";
import { instanceName, rebootDefault } from "./instance-reboot";
import { locked, type OffWork, powered, settled, whileOff } from "./machine";

const atDeployment = {
  change: "writeOnly",
  note: 'used only when the disk is written, so the disk stays as it is; to write it anew run "pulumi up --target-replace" with its URN',
} as const;

export const instanceDisk = resource({
  name: "InstanceDisk",
  summary:
    "A disk of an instance: a part of the storage that the instance's type provides. " +
    "Changes of an existing disk are made with the machine off: it shuts down and boots again if it runs.",
  source: "part 1 · Endpoints · Disk create",
  inputs: DiskCreate.extend({
    compute_id: Id.describe("Instance that the disk belongs to."),
    size: DiskCreate.shape.size.describe(
      "Size in MB; all disks of an instance share the storage of its type. A larger type comes before larger disks by itself; " +
        "smaller disks have to come before a smaller type: change the sizes in one update and the type in the next. " +
        "On the instance, set resizeDisks to false: else its only disk follows a change of the type.",
    ),
    label: DiskCreate.shape.label.describe("Name of the disk for people; the image's own when absent."),
    allow_reboot: z
      .boolean()
      .default(true)
      .describe(
        "Whether a machine that runs may be shut down for a change of the disk, and booted again. For its deletion it always is.",
      ),
  }),
  outputs: Disk.extend({
    resumes: z
      .boolean()
      .optional()
      .describe("Whether a change has failed half-way, and the instance is off until the next update boots it."),
  }),
  identity: {
    area: "instanceDisks",
    parents: { compute_id: "computeId" },
    extend: async ({ state }, record) => ({ ...record, resumes: state.resumes || undefined }),
    lostCreate: { match: ["label", "size", "filesystem"] },
  },
  fields: {
    label: "edit",
    size: {
      change: "rework",
      by: ["instances.shutdown", "instanceDisks.resize", "instances.boot"],
      note: "the instance stays off if it was off before",
      // A change is done only when the machine that it has shut down runs again.
      current: ({ size, resumes }) => (resumes ? undefined : size),
    },
    root_pass: {
      change: "rework",
      by: ["instances.shutdown", "instanceDisks.resetPassword", "instances.boot"],
      note: "the instance stays off if it was off before",
    },
    compute_id: "replace",
    image: "replace",
    filesystem: "replace",
    stackscript_id: "replace",
    stackscript_data: atDeployment,
    authorized_keys: atDeployment,
    authorized_users: atDeployment,
    allow_reboot: { change: "local", default: rebootDefault },
  },
  steps: {
    edit: { run: ({ api, path, want: { label } }) => api.instanceDisks.update({ path, body: { label } }) },
    rework: {
      preview: async ({ want, state, host }) =>
        offNote(await instanceName(want, host), want, reworks(want, state).join(" and ")),
      run({ host, api, path, want, changed, seen, state, setState, waitUntilReady }) {
        const work: OffWork = {
          host,
          computeId: path.computeId,
          what: `disk ${path.diskId} is changed`,
          allowed: want.allow_reboot !== false,
          resumes: state.resumes === true,
          setState,
        };
        // Only the boot of an earlier attempt is left to do.
        if (seen.size === want.size && changed.root_pass === undefined) return whileOff(work);
        return whileOff(work, () => async () => {
          if (seen.size !== want.size) await api.instanceDisks.resize({ path, body: { size: want.size } });
          const { size } = await waitUntilReady();
          if (size !== want.size) throw new Error(`Disk ${path.diskId} still has ${size} MB: its resizing failed`);
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
    async run({ host, api, path }) {
      const { computeId } = path;
      if (powered(await settled(host, computeId)))
        host.warn(`instance ${computeId} shuts down and boots again: disk ${path.diskId} is deleted`);
      let isBootable = true;
      const staysOff = () => (isBootable ? undefined : "nothing is left to boot from");
      await whileOff({ host, computeId, what: `disk ${path.diskId} is deleted`, allowed: true, staysOff }, async () => {
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

const reworks = (want: Rework, was: Rework): string[] => [
  ...(want.size === was.size ? [] : [`size ${was.size} → ${want.size} MB`]),
  ...(want.root_pass === undefined || want.root_pass === was.root_pass ? [] : ["a new root password"]),
];

/** A preview does not know whether the machine runs: that is not part of a disk. */
const offNote = (name: string, { allow_reboot }: { allow_reboot: boolean }, what: string): string =>
  allow_reboot
    ? `${name} will shut down and boot, if it runs: ${what}`
    : `${name} must be off, as allowReboot is false: ${what}`;

/** Whether the instance has a config, and none whose root is the disk: the API does not return which of them it boots. */
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

/** No room for the disk: the one that it replaces may be what takes it. */
function explain(error: unknown): never {
  if (!(error instanceof ApiError) || !error.reasons.some(({ field }) => field === "size")) throw error;
  const hint = "where the disk replaces another, the resource option deleteBeforeReplace makes room first";
  throw new ApiError(error.operation, error.status, error.reasons, hint);
}
