import { z } from "zod";
import { Disk, DiskCreate, deviceNames, diskCreateRules, Id, type InstanceConfig } from "../../api";
import { bodyOf } from "../body";
import { ApiError } from "../client/errors";
import type { Host } from "../engine";
import { resource } from "../resource";
import { instanceName, unlessForbidden } from "./instance-power";
import { locked, type OffWork, powered, settled, whileOff } from "./machine";

const atDeployment = {
  kept: 'used only when the disk is written, so the disk stays as it is; to write it anew run "pulumi up --target-replace" with its URN',
};

export const instanceDisk = resource({
  kind: "InstanceDisk",
  summary:
    "A disk of an instance: a part of the storage that the instance's type provides. " +
    "Changes of an existing disk are made with the machine off: it shuts down and boots again if it runs.",
  source: "part 1 · Endpoints · Disk create",
  area: "instanceDisks",
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
  parent: { compute_id: "computeId" },
  changes: {
    label: "edit",
    size: "rework",
    root_pass: "rework",
    compute_id: "replace",
    image: "replace",
    filesystem: "replace",
    stackscript_id: "replace",
    stackscript_data: atDeployment,
    authorized_keys: atDeployment,
    authorized_users: atDeployment,
    allow_reboot: "local",
  },
  exceptions: {
    size: "`instanceDisks.resize`, between `instances.shutdown` and `instances.boot` if the machine runs",
    root_pass: "`instanceDisks.resetPassword`, between `instances.shutdown` and `instances.boot` if the machine runs",
  },
  steps: {
    edit: { run: ({ api, path, want: { label } }) => api.instanceDisks.update({ path, body: { label } }) },
    rework: {
      announce: (want, was, about) => offNote(about, want, reworks(want, was).join(" and ")),
      run(step) {
        const { host, api, path, want, changed, seen } = step;
        const work = offWork(step);
        // Only the boot of an earlier attempt is left to do.
        if (seen.size === want.size && changed.root_pass === undefined) return whileOff(work);
        return whileOff(work, () => async () => {
          if (seen.size !== want.size) await api.instanceDisks.resize({ path, body: { size: want.size } });
          const { size } = await step.settle();
          if (size !== want.size) throw new Error(`Disk ${path.diskId} still has ${size} MB: its resizing failed`);
          if (changed.root_pass === undefined) return;
          await api.instanceDisks.resetPassword({ path, body: { password: changed.root_pass } });
          await settled(host, path.computeId);
        });
      },
    },
  },
  // A change is not done before the machine that it has shut down runs again.
  observe: { size: ({ size, resumes }) => (resumes ? undefined : size) },
  defaults: unlessForbidden,
  about: instanceName,
  rules: diskCreateRules,
  key: ["label", "size", "filesystem"],
  timeouts: { create: 1200, update: 3600 },
  states: { ready: "ready", "not ready": "wait", deleting: "failed" },
  async create({ host, api, want }) {
    const computeId = want.compute_id;
    const { id } = await locked(host, computeId, () =>
      api.instanceDisks.create({ path: { computeId }, body: bodyOf(DiskCreate, want) }).catch(explain),
    );
    return { computeId, diskId: id };
  },
  read: async ({ was }, record) => ({ ...record, resumes: was.resumes || undefined }),
  async delete({ host, api, path }) {
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
});

interface Asked {
  host: Host;
  path: { computeId: number; diskId: number };
  want: { allow_reboot?: boolean };
  was: { resumes?: boolean | undefined };
  learn: NonNullable<OffWork["learn"]>;
}

const offWork = ({ host, path, want, was, learn }: Asked): OffWork => ({
  host,
  computeId: path.computeId,
  what: `disk ${path.diskId} is changed`,
  allowed: want.allow_reboot !== false,
  resumes: was.resumes === true,
  learn,
});

interface Stated {
  size?: number;
  root_pass?: string | undefined;
}

const reworks = (want: Stated, was: Stated): string[] => [
  ...(want.size === was.size ? [] : [`size ${was.size} → ${want.size} MB`]),
  ...(want.root_pass === undefined || want.root_pass === was.root_pass ? [] : ["a new root password"]),
];

/** Whether the machine runs is the instance's to tell, and no part of a disk. */
const offNote = (name: string, { allow_reboot }: { allow_reboot: boolean }, what: string): string =>
  allow_reboot
    ? `${name} will shut down and boot, if it runs: ${what}`
    : `${name} must be off, as allowReboot is false: ${what}`;

/** Whether the instance has a config, and none whose root the disk is: which of them it boots nobody tells. */
async function bootsWithout(api: Host["api"], { computeId, diskId }: Asked["path"]): Promise<boolean> {
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
