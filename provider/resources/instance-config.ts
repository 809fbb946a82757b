import { z } from "zod";
import {
  camel,
  configRules,
  Id,
  Instance,
  InstanceConfig,
  InstanceConfigCreate,
  instanceConfigs,
  type Problem,
} from "../../api";
import { isInDoubt, isNotFound } from "../client/errors";
import { matchesDeclared } from "../engine/comparison";
import type { Observed } from "../engine/contexts";
import { resource } from "../engine/definition";
import { MissingError } from "../engine/errors";
import type { Host } from "../engine/host";
import { declarerOf } from "../engine/planned";
import { bodyOf } from "./body";
import { plugged, slotsOf, withSlots } from "./instance-devices";
import { mainConfig } from "./instance-main-config";
import { instanceName, rebootDefault } from "./instance-reboot";
import { boot, locked, machineOf, rejection, settled, shutDown, withStatusDuringChange } from "./machine";
import { powered, powerOf } from "./machine-status";
import { lockDevices } from "./object-locks";

/** Fields of a boot config that take effect at the next boot. */
const usedAtBoot = [
  "kernel",
  "devices",
  "root_device",
  "memory_limit",
  "run_level",
  "virt_mode",
  "helpers",
  "interfaces",
] as const;

const inputs = InstanceConfigCreate.extend({
  compute_id: Id.describe("Instance that the boot config belongs to."),
  kernel: InstanceConfig.shape.kernel
    .optional()
    .describe(
      "Kernel that the instance boots. If omitted, it is set to `compute/latest-64bit` at creation and not managed afterwards.",
    ),
  devices: InstanceConfigCreate.shape.devices.describe(
    "Disks and volumes by device slot, from `sda` to `sdh`. Omitted slots are not managed, so they keep their devices, such as volumes of a `VolumeAttachment`. `{}` empties a slot. A volume that is not attached is attached to the instance.",
  ),
  booted: z
    .boolean()
    .optional()
    .describe(
      "Whether the instance runs with this boot config. `true` boots the instance, or reboots it if it runs with another config or if a change requires a reboot. `false` shuts the instance down if it runs with this config. If omitted, the power state is not managed and changes take effect at the next boot. If `true`, deleting the config shuts the instance down.",
    ),
  allow_reboot: z
    .boolean()
    .default(true)
    .describe(
      "Whether a running instance may be rebooted, either to apply a change of this boot config or because it was booted with another one.",
    ),
});

type Inputs = Partial<z.output<typeof inputs>>;

const configure = {
  change: "configure",
  by: ["instanceConfigs.update", "instances.reboot"],
  touches: ["booted"],
  note: "the new value takes effect at the next boot; if `booted` is `true`, a running instance reboots immediately",
} as const;

export const instanceConfig = resource({
  name: "InstanceConfig",
  summary:
    "Manages a boot config of an instance: kernel, devices and network interfaces. Use it for instances whose `config` and `interfaces` inputs are omitted.",
  elsewhere: { terraform: "linode_instance_config", pulumi: "InstanceConfig" },
  inputs,
  outputs: InstanceConfig.extend({
    // Other resources can change device slots that this resource does not declare, so the slots are not stored in
    // state.
    devices: InstanceConfig.shape.devices.meta({ volatile: true }),
    memory: Instance.shape.specs.shape.memory.describe("Memory that the type of the instance includes, in MB."),
    runs: z
      .boolean()
      .describe(
        "Whether the instance runs with this config. If the instance has several configs, true only for the config that the program booted last, because the API does not return which config is booted.",
      ),
    stale: z
      .boolean()
      .optional()
      .describe("Whether the instance runs with an older version of the config, because the reboot failed."),
  }),
  identity: {
    area: "instanceConfigs",
    parents: { compute_id: "computeId" },
    async extend({ host, path, want, state, age }, record) {
      const isKnown = want.booted !== undefined && state.runs === true;
      // The instance can be offline for a moment while another resource changes it, so its status is read after that
      // change.
      const instance =
        age === "recent"
          ? await host.reads.view("instances", path, { age })
          : await settled(host, path.computeId).catch(unlessDeleted);
      if (!instance) return undefined;
      const memory = instance.specs?.memory ?? state.memory ?? 0;
      const memory_limit = ramOf(record.memory_limit, memory);
      const runs = await runsWith(host, path, instance, isKnown);
      // At its next boot, an instance that is off uses the changed config.
      const stale = (runs !== false && state.stale) || undefined;
      return { ...withSlots(record), memory_limit, memory, stale, runs };
    },
    lostCreate: { match: ["label"] },
  },
  inventory: { file: "compute", list: "operation", title: "label" },
  fields: {
    label: "edit",
    comments: "edit",
    kernel: configure,
    devices: {
      ...configure,
      touches: ["devices", "booted"],
      current: ({ devices }, want) => devices && slotsOf(devices, want.devices),
    },
    root_device: configure,
    memory_limit: { ...configure, canonical: (limit, { memory }) => ramOf(limit, memory) },
    run_level: configure,
    virt_mode: configure,
    helpers: configure,
    interfaces: configure,
    booted: {
      change: "power",
      by: ["instances.boot", "instances.reboot", "instances.shutdown"],
      touches: ["runs"],
      current: ({ runs }) => runs,
    },
    compute_id: "replace",
    allow_reboot: { change: "local", default: rebootDefault },
  },
  steps: {
    edit: { run: ({ api, path, changed }) => api.instanceConfigs.update({ path, body: changed }) },
    configure: {
      async preview({ want, state, host }) {
        if (want.booted === undefined)
          return `the change takes effect at the next boot of ${await instanceName(want, host)}`;
        if (!want.booted || !state.runs) return undefined;
        return `${await instanceName(want, host)} will reboot to apply ${changedAtBoot(want, state).join(" and ")}`;
      },
      async run({ host, api, path, want, changed, observed, setState }) {
        const reboots = want.booted === true && observed.runs === true;
        if (reboots && !want.allow_reboot)
          throw new Error(rejection(path.computeId, `config ${path.configId} is changed`));
        // The change requires a reboot, which `steps.power` does. If the reboot fails, `stale` in state makes the next
        // update reboot the instance.
        if (reboots) setState({ stale: true });
        await locked(host, path.computeId, async () => {
          const body = bodyOf(instanceConfigs.update.body, changed);
          await lockDevices(host, [path.computeId], async () => {
            if (body.devices) body.devices = plugged(await api.instanceConfigs.view({ path }), body.devices);
            await api.instanceConfigs.update({ path, body });
          });
        }).catch((error) => {
          if (reboots && !isInDoubt(error)) setState({ stale: observed.stale });
          throw error;
        });
      },
    },
    power: {
      when: ({ stale }, { booted }) => stale === true && booted === true,
      preview: async ({ want: { booted, ...want }, state, host }) =>
        booted === state.runs && !state.stale ? undefined : powerNote(await instanceName(want, host), booted),
      async run({ host, path: { computeId, configId }, want, setState }) {
        await locked(host, computeId, async (observed, machine) => {
          const isOn = powered(observed);
          if (want.booted && isOn && !want.allow_reboot)
            throw new Error(rejection(computeId, `config ${configId} is booted`));
          if (want.booted) await boot(host, computeId, configId);
          // Another resource may have booted its own config while this one waited for the instance.
          else if (isOn && (machine.config || configId) === configId) await shutDown(host, computeId);
          if (want.booted) machine.config = configId;
          machine.isBootPending = false;
        });
        setState({ runs: want.booted === true, stale: false });
      },
    },
  },
  checks: {
    rules: configRules,
    onChange: [rebootCheck],
    onCreate: [
      {
        warns: "that the instance boots or reboots if `booted` is true",
        check: async (want, host) => (want.booted ? powerNote(await instanceName(want, host), true) : undefined),
      },
    ],
  },
  async create({ host, api, want }) {
    const computeId = want.compute_id;
    const { id } = await api.instanceConfigs.create({ path: { computeId }, body: bodyOf(InstanceConfigCreate, want) });
    // A running instance does not use a boot config that was created after it booted. The invalid id 0 records that,
    // because `runsWith` otherwise assumes that an instance runs with its only boot config, unless state names it.
    machineOf(host, computeId).config ??= 0;
    return { computeId, configId: id };
  },
  delete: {
    effect: "deleting the former config shuts the instance down, if it runs with it",
    declaredBy:
      ({ api, path: { computeId, configId } }) =>
      async ({ kind, path, want }) =>
        kind === "Instance" &&
        path.computeId === computeId &&
        (want.config !== undefined || want.interfaces !== undefined) &&
        (await mainConfig(api, { computeId }).catch(unlessNotFound))?.id === configId,
    async run({ host, api, path, want, observe }) {
      // State cannot show that an earlier command has booted another config, whose resource this one only compares.
      const isOtherBooted = await declarerOf(
        host,
        ({ kind, path: other, want }) =>
          kind === "InstanceConfig" &&
          other.computeId === path.computeId &&
          other.configId !== path.configId &&
          want.booted === true,
      );
      if (want.booted && !isOtherBooted && (await observe())?.runs) {
        host.warn(`instance ${path.computeId} shuts down, because the config that it runs with is deleted`);
        await locked(host, path.computeId, async (instance) => {
          if (powered(instance)) await shutDown(host, path.computeId);
        });
      }
      await api.instanceConfigs.delete({ path });
    },
  },
  timeouts: { create: 1200, update: 1200 },
});

/**
 * Whether the instance runs with this boot config. The API does not return which one was booted, so this process
 * records the boot configs with which it boots instances. Undefined if the status does not show whether it runs.
 */
async function runsWith(
  host: Host,
  { computeId, configId }: { computeId: number; configId: number },
  instance: Instance,
  isKnown: boolean,
): Promise<boolean | undefined> {
  const isOn = powerOf(withStatusDuringChange(host, computeId, instance));
  if (!isOn) return isOn;
  const { config } = machineOf(host, computeId);
  if (config) return config === configId;
  if (isKnown) return true;
  if (config !== undefined) return false;
  const { results } = await host.api.instanceConfigs.list({ path: { computeId } });
  return results === 1;
}

function unlessNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

function unlessDeleted(error: unknown): undefined {
  if (!(error instanceof MissingError)) throw error;
}

/** The memory limit of a boot config. A limit of 0 equals all RAM of the instance. */
const ramOf = (limit: number | undefined, memory: number | undefined): number | undefined => limit || memory || limit;

function changedAtBoot(want: Inputs, olds: Observed<Inputs> & { memory?: number | undefined }): string[] {
  const [after, before] = [want, olds].map((config) => ({
    ...config,
    memory_limit: ramOf(config.memory_limit, olds.memory),
  }));
  return usedAtBoot
    .filter((key) => want[key] !== undefined && !matchesDeclared(inputs.shape[key], before?.[key], after?.[key]))
    .map(camel);
}

const powerNote = (name: string, booted: boolean | undefined): string =>
  booted ? `${name} will boot with this config, or reboot if it runs with another one` : `${name} will shut down`;

/** Rejects a change that requires a reboot if `allowReboot` is false, before any request is sent. */
function* rebootCheck(want: Inputs, olds: Inputs): Iterable<Problem> {
  if (want.allow_reboot !== false || !want.booted || !olds.booted) return;
  const down = changedAtBoot(want, olds);
  if (down.length) {
    const reason = `must be true for this change: ${down.join(" and ")} cannot change without a reboot`;
    yield { path: ["allow_reboot"], reason };
  }
}
