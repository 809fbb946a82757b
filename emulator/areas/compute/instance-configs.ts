import {
  allDevices,
  canonicalInterface,
  configRules,
  type Devices,
  deviceNames,
  type InstanceConfig,
  type InstanceConfigCreate,
  type Interface,
  type SecondaryEntity,
  volumes,
} from "../../../api";
import { notFound, Reasons } from "../../core/error-response";
import { entity } from "../../core/events";
import { type RowOf, table } from "../../core/store";
import type { World } from "../../core/world";
import { type Caller, requireScopes } from "../../http/auth";
import { type AreaModule, listed } from "../../http/handlers";
import { attachVolume, rejectMigrating, requireRoom } from "../storage/volume-devices";

export interface InstanceConfigRow extends Omit<InstanceConfig, "memory_limit"> {
  compute_id: number;
  /**
   * The memory limit of the config; null if the user has not set a limit. The config then uses all RAM of the
   * instance's type, even after a resize.
   */
  memory_limit: number | null;
}

export const instanceConfigs: AreaModule<"instanceConfigs", { instanceConfigs: InstanceConfigRow }> = {
  tables: { instanceConfigs: table<InstanceConfigRow>([], { refs: { compute_id: "instances" } }) },
  rules: { create: configRules, update: configRules },
  handlers: {
    list({ world, path }) {
      const instance = world.instances.get(path.computeId);
      return listed(world.instanceConfigs.by("compute_id", instance.id), (row) => configRecord(world, row));
    },

    create({ world, caller, path, body, emit }) {
      const instance = world.instances.get(path.computeId);
      const free = check(world, caller, instance, body);
      for (const volume of free) attachVolume(world, volume, instance, false);
      const config = addConfig(world, instance, body);
      emit(entity("compute", instance), { secondary_entity: configEntity(config) });
      return configRecord(world, config);
    },

    view: ({ world, path }) => configRecord(world, find(world, path).config),

    update({ world, caller, path, body, emit }) {
      const { instance, config } = find(world, path);
      const free = check(world, caller, instance, body);
      for (const volume of free) attachVolume(world, volume, instance, false);
      const { helpers, devices, interfaces, memory_limit, ...otherFields } = body;
      const changed = world.instanceConfigs.patch(config.id, {
        ...otherFields,
        // For a config without a memory limit, responses contain the RAM of the instance's type as the limit. If a
        // client sends that value back, the config still has no limit.
        memory_limit: memory_limit === configRecord(world, config).memory_limit ? config.memory_limit : memory_limit,
        helpers: helpers && { ...config.helpers, ...defined(helpers) },
        devices: devices && allDevices(devices),
        interfaces: interfaces?.map(canonicalInterface),
      });
      emit(entity("compute", instance), { secondary_entity: configEntity(changed) });
      return configRecord(world, changed);
    },

    delete({ world, path, emit }) {
      const { instance, config } = find(world, path);
      world.instanceConfigs.remove(config.id);
      if (instance.booted_config === config.id) world.instances.patch(instance.id, { booted_config: null });
      emit(entity("compute", instance), { secondary_entity: configEntity(config) });
      return {};
    },
  },
};

export const configEntity = ({
  id,
  label,
  compute_id,
}: Readonly<InstanceConfigRow>): SecondaryEntity<"compute_config"> => ({
  id,
  label,
  type: "compute_config",
  url: `/v4/compute/instances/${compute_id}/configs/${id}`,
});

/** Adds a config. Omitted settings get the API's defaults, such as `/dev/sda` for `root_device`. */
export function addConfig(
  world: World,
  instance: RowOf<"instances">,
  wanted: Omit<InstanceConfigCreate, "memory_limit"> & { memory_limit?: number | null | undefined },
): Readonly<InstanceConfigRow> {
  return world.instanceConfigs.insert({
    compute_id: instance.id,
    label: wanted.label,
    comments: wanted.comments === undefined ? "" : wanted.comments,
    kernel: wanted.kernel,
    devices: allDevices(wanted.devices),
    root_device: wanted.root_device ?? "/dev/sda",
    memory_limit: wanted.memory_limit ?? null,
    run_level: wanted.run_level ?? "default",
    virt_mode: wanted.virt_mode ?? "paravirt",
    helpers: { ...allHelpers, ...defined(wanted.helpers ?? {}) },
    interfaces: (wanted.interfaces ?? []).map(canonicalInterface),
  });
}

/**
 * Rejects VLANs in regions that do not have the next-generation network (API documentation, part 1 · Resources ·
 * Network interface object).
 */
export function checkVlans(
  world: World,
  region: string,
  interfaces: readonly Interface[] | undefined,
  problems: Reasons,
): void {
  if (!interfaces || world.regions.get(region).capabilities.includes("Vlans")) return;
  for (const [at, { purpose }] of interfaces.entries())
    problems.addUnless(purpose !== "vlan", `Region ${region} does not offer VLANs`, `interfaces.${at}.purpose`);
}

/** Removes a deleted disk from the devices, such as `sda`, of its instance's configs. */
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

/**
 * The config as the API returns it. If the instance was resized to a type with less RAM than the config's memory limit,
 * `memory_limit` is the RAM of the new type.
 */
function configRecord(
  world: World,
  row: Readonly<InstanceConfigRow>,
): InstanceConfig & {
  /** Whether the config has a memory limit of its own. Not in responses. */
  hasMemoryLimit: boolean;
} {
  const { memory } = world.instances.get(row.compute_id).specs;
  const { memory_limit: limit } = row;
  return { ...row, memory_limit: Math.min(limit ?? memory, memory), hasMemoryLimit: limit !== null };
}

/** Name of the task that ends a resize or migration, whose arguments contain the new region. */
export const MOVED = "instances.moved";

/** The region of an instance when its migration has ended, or its present one if it does not migrate. */
function regionAfterMove(world: World, { id, region }: RowOf<"instances">): string {
  const [args] = world.jobs.table.by("compute_id", id).flatMap(({ task, args }) => (task === MOVED ? [args] : []));
  return (args as { region: string } | undefined)?.region ?? region;
}

/** Rejects an invalid config. Returns the volumes among its devices that are not attached to an instance yet. */
function check(
  world: World,
  caller: Caller,
  instance: RowOf<"instances">,
  body: { [F in "devices" | "interfaces" | "memory_limit"]?: InstanceConfigCreate[F] | undefined },
): RowOf<"volumes">[] {
  const problems = new Reasons();
  const { memory } = instance.specs;
  const free = freeVolumes(world, caller, instance, body.devices ?? {});
  checkDevices(world, instance, body.devices ?? {}, problems, free);
  checkVlans(world, instance.region, body.interfaces, problems);
  const next = regionAfterMove(world, instance);
  if (next !== instance.region) checkVlans(world, next, body.interfaces, problems);
  problems.addUnless(
    (body.memory_limit ?? 0) <= memory,
    `Must be at most ${memory}, the memory of the instance`,
    "memory_limit",
  );
  if (free.length > 0) {
    requireScopes(caller, volumes.attach);
    rejectMigrating(instance);
    requireRoom(world, instance, free.length, problems, "devices");
  }
  problems.throwIfAny();
  return free;
}

/**
 * The volumes among the given devices that are not attached to an instance yet. Throws unless the caller may attach
 * them to the instance.
 */
const freeVolumes = (
  world: World,
  caller: Caller,
  { region }: RowOf<"instances">,
  devices: Devices,
): RowOf<"volumes">[] =>
  Object.values(devices).flatMap((device) => {
    const volume = world.volumes.find(device?.volume_id ?? null);
    const isFree = volume?.compute_id === null && volume.region === region;
    return isFree && caller.may("volume", volume.id, "read_only") ? [volume] : [];
  });

/**
 * Adds an error for each device that is neither a disk of the instance, nor a volume attached to it, nor one of the
 * unattached volumes in `free`.
 */
export function checkDevices(
  world: World,
  { id, region }: RowOf<"instances">,
  devices: Devices,
  problems: Reasons,
  free?: readonly RowOf<"volumes">[],
): void {
  for (const name of deviceNames) {
    const { disk_id: disk, volume_id: volume } = devices[name] ?? {};
    if (disk)
      problems.addUnless(
        world.disks.find(disk)?.compute_id === id,
        `There is no disk ${disk} on instance ${id}`,
        `devices.${name}.disk_id`,
      );
    else if (volume)
      problems.addUnless(
        world.volumes.find(volume)?.compute_id === id || free?.some((one) => one.id === volume) === true,
        free
          ? `Volume ${volume} is neither attached to instance ${id} nor an unattached volume in ${region}`
          : `Volume ${volume} is not attached to instance ${id}; attach it first`,
        `devices.${name}.volume_id`,
      );
  }
}

const defined = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

function find(world: World, { computeId, configId }: { computeId: number; configId: number }) {
  const instance = world.instances.get(computeId);
  const config = world.instanceConfigs.get(configId);
  if (config.compute_id !== instance.id) throw notFound();
  return { instance, config };
}
