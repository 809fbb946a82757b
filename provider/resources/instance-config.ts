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
import { isInDoubt } from "../client/errors";
import { covers, GoneError, type Host } from "../engine";
import { resource } from "../engine/resource";
import { bodyOf } from "./body";
import { plugged, slotsOf, withSlots } from "./instance-devices";
import { instanceName, unlessForbidden } from "./instance-power";
import { boot, locked, machineOf, powered, refusal, seenAs, settled, shutDown } from "./machine";

/** What a machine takes from its config when it boots. */
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
  compute_id: Id.describe("Instance that the config belongs to."),
  kernel: InstanceConfig.shape.kernel.optional().describe("Kernel to boot; compute/latest-64bit when absent."),
  devices: InstanceConfigCreate.shape.devices.describe(
    "Disks and volumes, by device name. Slots that are left out are not the program's: what others put there, such as " +
      "attached volumes, stays; `{}` empties a slot. A volume that is not attached is attached to the instance.",
  ),
  booted: z
    .boolean()
    .optional()
    .describe(
      "Whether the machine runs with this config: `true` boots it, or reboots it from another config, and again when a " +
        "change needs that; `false` shuts it down if it runs with this one. Absent, its power is nobody's business and " +
        "changes take effect at its next boot. Where it is `true`, deleting the config shuts the machine down.",
    ),
  allow_reboot: z
    .boolean()
    .default(true)
    .describe("Whether a machine that runs may be rebooted, for a change or from another config."),
});

type Stated = Partial<z.output<typeof inputs>>;

/** By what a change of the config comes into effect. */
const atBoot = "`instanceConfigs.update`, and `instances.reboot` where `booted` is true";

export const instanceConfig = resource({
  kind: "InstanceConfig",
  summary:
    "A way to boot an instance: kernel, devices and network interfaces; for instances whose `config` and `interfaces` are left open.",
  source: "part 1 · Resources · Configuration profile",
  area: "instanceConfigs",
  inputs,
  outputs: InstanceConfig.extend({
    // Slots that others fill come and go.
    devices: InstanceConfig.shape.devices.meta({ volatile: true }),
    memory: Instance.shape.specs.shape.memory.describe("RAM of the instance in MB."),
    runs: z
      .boolean()
      .describe(
        "Whether the machine runs with this config; of several, the service does not tell which: it is the one that the program has booted.",
      ),
    stale: z
      .boolean()
      .optional()
      .describe("Whether the machine runs with an older version of the config, as its reboot has failed."),
  }),
  parent: { compute_id: "computeId" },
  changes: {
    label: "edit",
    comments: "edit",
    kernel: "configure",
    devices: "configure",
    root_device: "configure",
    memory_limit: "configure",
    run_level: "configure",
    virt_mode: "configure",
    helpers: "configure",
    interfaces: "configure",
    booted: "power",
    compute_id: "replace",
    allow_reboot: "local",
  },
  exceptions: {
    booted: "`instances.boot` with this config, or `instances.shutdown`",
    kernel: atBoot,
    devices: atBoot,
    root_device: atBoot,
    memory_limit: atBoot,
    run_level: atBoot,
    virt_mode: atBoot,
    helpers: atBoot,
    interfaces: atBoot,
  },
  steps: {
    edit: { run: ({ api, path, changed }) => api.instanceConfigs.update({ path, body: changed }) },
    configure: {
      announce(want, was, about) {
        if (want.booted === undefined) return `takes effect at the next boot of ${about}`;
        if (!want.booted || !was.runs) return undefined;
        return `${about} will reboot: ${changedAtBoot(want, was).join(" and ")}`;
      },
      async run({ host, api, path, want, changed, seen, learn }) {
        const reboots = want.booted === true && seen.runs;
        if (reboots && !want.allow_reboot)
          throw new Error(refusal(path.computeId, `config ${path.configId} is changed`));
        // The step of the power boots the machine anew, by this attempt or the next.
        if (reboots) learn({ stale: true });
        await locked(host, path.computeId, async () => {
          const body = bodyOf(instanceConfigs.update.body, changed);
          if (body.devices) body.devices = plugged(await api.instanceConfigs.view({ path }), body.devices);
          await api.instanceConfigs.update({ path, body });
        }).catch((error) => {
          if (reboots && !isInDoubt(error)) learn({ stale: false });
          throw error;
        });
      },
    },
    power: {
      announce: ({ booted }, was, about) => (booted === was.runs ? undefined : powerNote(about, booted)),
      async run({ host, path: { computeId, configId }, want, learn }) {
        await locked(host, computeId, async (seen, machine) => {
          const on = powered(seen);
          if (want.booted && on && !want.allow_reboot)
            throw new Error(refusal(computeId, `config ${configId} is booted`));
          if (want.booted) await boot(host, computeId, configId);
          else if (on) await shutDown(host, computeId);
          if (want.booted) machine.config = configId;
          machine.owed = false;
        });
        learn({ runs: want.booted === true, stale: false });
      },
    },
  },
  observe: {
    devices: ({ devices }, { devices: stated }) => slotsOf(devices, stated),
    booted: ({ runs, stale }) => runs && !stale,
  },
  compare: { memory_limit: (limit, { memory }) => ramOf(limit, memory) },
  defaults: unlessForbidden,
  about: instanceName,
  starts: async (want, host) => (want.booted ? powerNote(await instanceName(want, host), true) : undefined),
  rules: configRules,
  guards: [rebootGuard],
  key: ["label"],
  timeouts: { create: 1200, update: 1200 },
  async create({ host, api, want }) {
    const computeId = want.compute_id;
    const { id } = await api.instanceConfigs.create({ path: { computeId }, body: bodyOf(InstanceConfigCreate, want) });
    // A machine that runs does not run with a config that is new, even if it is the only one.
    machineOf(host, computeId).config ??= 0;
    return { computeId, configId: id };
  },
  async read({ host, path, want, was, fresh }, record) {
    const stale = was.stale || undefined;
    const known = want.booted !== undefined && was.runs === true;
    // What another resource changes on the machine at the same time can have taken it down for a while.
    const instance = fresh
      ? await settled(host, path.computeId).catch(unlessGone)
      : await host.reads.view("instances", path);
    const memory = instance?.specs?.memory ?? was.memory ?? 0;
    return { ...withSlots(record), memory, stale, runs: await runsWith(host, path, instance, known) };
  },
  async delete({ host, api, path, want, seen }) {
    if (want.booted && seen.runs) {
      host.warn(`instance ${path.computeId} shuts down: the config that it runs with is deleted`);
      await locked(host, path.computeId, async (seen) => {
        if (powered(seen)) await shutDown(host, path.computeId);
      });
    }
    await api.instanceConfigs.delete({ path });
  },
});

/** Whether the machine runs with the config. The service tells only whether it runs: who booted it has to know the rest. */
async function runsWith(
  host: Host,
  { computeId, configId }: { computeId: number; configId: number },
  instance: Instance | undefined,
  known: boolean,
): Promise<boolean> {
  if (!instance || !powered(seenAs(host, computeId, instance))) return false;
  const { config } = machineOf(host, computeId);
  if (config !== undefined) return config === configId;
  if (known) return true;
  const { results } = await host.api.instanceConfigs.list({ path: { computeId } });
  return results === 1;
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof GoneError)) throw error;
}

/** A limit of 0 and all the RAM of the instance mean the same. */
const ramOf = (limit: number | undefined, memory: number | undefined): number | undefined => limit || memory || limit;

function changedAtBoot(want: Stated, was: Stated & { memory?: number | undefined }): string[] {
  const [after, before] = [want, was].map((config) => ({
    ...config,
    memory_limit: ramOf(config.memory_limit, was.memory),
  }));
  return usedAtBoot
    .filter((key) => want[key] !== undefined && !covers(inputs.shape[key], before?.[key], after?.[key]))
    .map(camel);
}

const powerNote = (name: string, booted: boolean | undefined): string =>
  booted ? `${name} will boot with it, or reboot if it runs with another config` : `${name} will shut down`;

/** A machine that must not go down refuses, before anything is done, what would take it down. */
function* rebootGuard(want: Stated, was: Stated): Iterable<Problem> {
  if (want.allow_reboot !== false || !want.booted || !was.booted) return;
  const down = changedAtBoot(want, was);
  if (down.length) {
    const reason = `must be true for this change: ${down.join(" and ")} can't change without a reboot`;
    yield { path: ["allow_reboot"], reason };
  }
}
