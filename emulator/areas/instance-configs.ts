import {
  allDevices,
  canonicalInterface,
  configRules,
  type Devices,
  deviceNames,
  type InstanceConfig,
  type InstanceConfigCreate,
  type Interface,
  type instanceConfigs,
  type SecondaryEntity,
} from "../../api";
import { entity } from "../events";
import { type Handlers, listed, type Rules } from "../handlers";
import { notFound, Reasons } from "../refusal";
import { table } from "../store";
import type { World } from "../world";
import type { InstanceRow } from "./instances";

/** A config, and the instance that it belongs to. */
export interface InstanceConfigRow extends Omit<InstanceConfig, "memory_limit"> {
  compute_id: number;
  /** Null when none was given: then all that the instance's type has, whatever it is. */
  memory_limit: number | null;
}

export const tables = { instanceConfigs: table<InstanceConfigRow>([], { refs: { compute_id: "instances" } }) };

export const rules: Rules<typeof instanceConfigs> = { create: configRules, update: configRules };

export const handlers: Handlers<typeof instanceConfigs> = {
  list({ world, path }) {
    const instance = world.instances.get(path.computeId);
    return listed(world.instanceConfigs.by("compute_id", instance.id), (row) => shown(world, row));
  },

  create({ world, path, body, emit }) {
    const instance = world.instances.get(path.computeId);
    check(world, instance, body);
    const config = addConfig(world, instance, body);
    emit(entity("compute", instance), { secondary_entity: about(config) });
    return shown(world, config);
  },

  view: ({ world, path }) => shown(world, find(world, path).config),

  update({ world, path, body, emit }) {
    const { instance, config } = find(world, path);
    check(world, instance, body);
    const { helpers, devices, interfaces, memory_limit, ...plain } = body;
    const changed = world.instanceConfigs.patch(config.id, {
      ...plain,
      // A config without a limit of its own is shown with one: sent back, it is none either.
      memory_limit: memory_limit === shown(world, config).memory_limit ? config.memory_limit : memory_limit,
      helpers: helpers && { ...config.helpers, ...stated(helpers) },
      devices: devices && allDevices(devices),
      interfaces: interfaces?.map(canonicalInterface),
    });
    emit(entity("compute", instance), { secondary_entity: about(changed) });
    return shown(world, changed);
  },

  delete({ world, path, emit }) {
    const { instance, config } = find(world, path);
    world.instanceConfigs.remove(config.id);
    if (instance.booted_config === config.id) world.instances.patch(instance.id, { booted_config: null });
    emit(entity("compute", instance), { secondary_entity: about(config) });
    return {};
  },
};

/** A config as events name it. */
export const about = ({ id, label, compute_id }: Readonly<InstanceConfigRow>): SecondaryEntity<"compute_config"> => ({
  id,
  label,
  type: "compute_config",
  url: `/v4/compute/instances/${compute_id}/configs/${id}`,
});

/** Adds a config, with the platform's own idea of what is not stated. */
export function addConfig(
  world: World,
  instance: Readonly<InstanceRow>,
  wanted: Omit<InstanceConfigCreate, "memory_limit"> & { memory_limit?: number | null | undefined },
): Readonly<InstanceConfigRow> {
  return world.instanceConfigs.insert({
    compute_id: instance.id,
    label: wanted.label,
    comments: wanted.comments ?? null,
    kernel: wanted.kernel,
    devices: allDevices(wanted.devices),
    root_device: wanted.root_device ?? "/dev/sda",
    memory_limit: wanted.memory_limit ?? null,
    run_level: wanted.run_level ?? "default",
    virt_mode: wanted.virt_mode ?? "paravirt",
    helpers: { ...allHelpers, ...stated(wanted.helpers ?? {}) },
    interfaces: (wanted.interfaces ?? []).map(canonicalInterface),
  });
}

/** VLANs work only in data centers with the next-generation network (part 1 · Resources · Network interface object). */
export function checkVlans(
  world: World,
  place: string,
  interfaces: readonly Interface[] | undefined,
  problems: Reasons,
): void {
  if (!interfaces || world.regions.get(place).capabilities.includes("Vlans")) return;
  for (const [at, { purpose }] of interfaces.entries())
    problems.require(purpose !== "vlan", `Region ${place} has no VLANs`, `interfaces.${at}.purpose`);
}

/** Empties the slots that hold a disk which is gone. */
export function unplugDisk(world: World, disk: { id: number; compute_id: number }): void {
  for (const config of world.instanceConfigs.by("compute_id", disk.compute_id)) {
    const name = deviceNames.find((slot) => config.devices[slot]?.disk_id === disk.id);
    if (!name) continue;
    const devices = { ...config.devices, [name]: { disk_id: null, volume_id: null } };
    world.instanceConfigs.patch(config.id, { devices });
  }
}

const allHelpers = {
  updatedb_disabled: true,
  distro: true,
  modules_dep: true,
  network: true,
  devtmpfs_automount: true,
};

/** As the API shows it: the machine never has more memory than its type, even if it was resized since. */
function shown(world: World, row: Readonly<InstanceConfigRow>): InstanceConfig {
  const { memory } = world.instances.get(row.compute_id).specs;
  return { ...row, memory_limit: Math.min(row.memory_limit ?? memory, memory) };
}

function check(
  world: World,
  instance: Readonly<InstanceRow>,
  body: { [F in "devices" | "interfaces" | "memory_limit"]?: InstanceConfigCreate[F] | undefined },
): void {
  const problems = new Reasons();
  const { memory } = instance.specs;
  checkDevices(world, instance, body.devices ?? {}, problems);
  checkVlans(world, instance.region, body.interfaces, problems);
  problems.require((body.memory_limit ?? 0) <= memory, `Must be at most ${memory}, all that it has`, "memory_limit");
  problems.refuse();
}

/** Each slot holds a disk of the instance or a volume that is attached to it. */
export function checkDevices(world: World, { id }: Readonly<InstanceRow>, devices: Devices, problems: Reasons): void {
  for (const name of deviceNames) {
    const { disk_id: disk, volume_id: volume } = devices[name] ?? {};
    if (disk)
      problems.require(
        world.disks.find(disk)?.compute_id === id,
        `There is no disk ${disk} on instance ${id}`,
        `devices.${name}.disk_id`,
      );
    else if (volume)
      problems.require(
        world.volumes.find(volume)?.compute_id === id,
        `There is no volume ${volume} attached to instance ${id}; attach it first`,
        `devices.${name}.volume_id`,
      );
  }
}

const stated = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

function find(world: World, { computeId, configId }: { computeId: number; configId: number }) {
  const instance = world.instances.get(computeId);
  const config = world.instanceConfigs.get(configId);
  if (config.compute_id !== instance.id) throw notFound();
  return { instance, config };
}
