import { deviceNames, reasons } from "../../../api";
import { ErrorResponse, type Reasons } from "../../core/error-response";
import { entity } from "../../core/events";
import type { RowOf } from "../../core/store";
import type { World } from "../../core/world";
import type { Caller } from "../../http/auth";

/** A device of a config, such as `sda`, which can refer to a disk or a volume. */
export interface Slot {
  config: RowOf<"instanceConfigs">;
  name: (typeof deviceNames)[number];
}

/**
 * The instance to which a volume is attached. Throws if the caller is not allowed to attach volumes to the instance, or
 * if the instance cannot have another volume.
 */
export function attachable(
  world: World,
  caller: Caller,
  id: number,
  problems: Reasons,
): RowOf<"instances"> | undefined {
  const instance = world.instances.find(id);
  if (!instance || !caller.may("compute", id, "read_only")) {
    problems.add(`There is no instance ${id}`, "compute_id");
    return undefined;
  }
  caller.need("compute", id, "read_write");
  rejectMigrating(instance);
  requireRoom(world, instance, 1, problems, "compute_id");
  return instance;
}

/** Throws if the given number of volumes cannot be attached to the instance. */
export function requireRoom(
  world: World,
  { id, specs }: RowOf<"instances">,
  more: number,
  problems: Reasons,
  field: string,
): void {
  const limit = attachLimit(specs.memory);
  const count = world.volumes.by("compute_id", id).length;
  problems.addUnless(
    count + more <= limit,
    `The instance already has ${count} volumes, and can have at most ${limit}`,
    field,
  );
}

/**
 * Attaches a volume to an instance and writes the event. Does not add the volume to a config of the instance, because a
 * volume can also be attached without one, until the next boot.
 */
export function attachVolume(
  world: World,
  volume: RowOf<"volumes">,
  instance: RowOf<"instances">,
  until_boot: boolean,
): RowOf<"volumes"> {
  world.events.add("volume_attach", entity("volume", volume), { secondary_entity: entity("compute", instance) });
  return world.volumes.patch(volume.id, { compute_id: instance.id, until_boot });
}

/**
 * Rejects attaching and detaching volumes while the instance migrates to another region, because volumes cannot be
 * moved there.
 */
export function rejectMigrating({ status }: RowOf<"instances">): void {
  if (status === "migrating") throw new ErrorResponse(400, reasons.busy);
}

/**
 * Maximum number of volumes of an instance: one per GB of RAM, but at least 8 and at most 64 (API documentation, part 1
 * · Endpoints · Volumes · rule 5).
 */
const attachLimit = (memory: number): number => Math.min(64, Math.max(8, Math.floor(memory / 1024)));

/**
 * The config with the given id, or the instance's only config if no id is given (API documentation, part 1 · Endpoints
 * · Volumes · rules 2 and 4).
 */
export function configOf(
  world: World,
  instance: RowOf<"instances">,
  wanted: number | undefined,
  problems: Reasons,
): RowOf<"instanceConfigs"> | undefined {
  const configs = world.instanceConfigs.by("compute_id", instance.id);
  const config = wanted === undefined && configs.length === 1 ? configs[0] : configs.find(({ id }) => id === wanted);
  if (config) return config;
  const which = configs.length === 0 ? "has no configs" : `has ${configs.map(({ id }) => id).join(", ")}`;
  problems.add(`Must be the id of a config of instance ${instance.id}, which ${which}`, "config_id");
  return undefined;
}

export function freeSlot(config: RowOf<"instanceConfigs">, problems: Reasons): Slot | undefined {
  const name = deviceNames.find((slot) => !config.devices[slot]?.disk_id && !config.devices[slot]?.volume_id);
  if (name) return { config, name };
  problems.add(`Config ${config.id} does not have a free device slot`, "config_id");
  return undefined;
}

/** Assigns the volume to a device of a config, or clears the device if `volume` is null. */
export function plug(world: World, { config, name }: Slot, volume: number | null): void {
  const devices = { ...config.devices, [name]: { disk_id: null, volume_id: volume } };
  world.instanceConfigs.patch(config.id, { devices });
}

/**
 * Detaches a volume from its instance and removes it from the instance's configs. Also used when an instance is
 * deleted.
 */
export function detachVolume(world: World, id: number): void {
  const { compute_id } = world.volumes.get(id);
  for (const config of compute_id === null ? [] : world.instanceConfigs.by("compute_id", compute_id)) {
    const name = deviceNames.find((slot) => config.devices[slot]?.volume_id === id);
    if (name) plug(world, { config, name }, null);
  }
  world.volumes.patch(id, { compute_id: null });
}

/**
 * Detaches the volumes that are not in a config and were attached only until the next boot (API documentation, part 1 ·
 * Endpoints · Volumes · rule 5).
 */
export function detachUntilBoot(world: World, compute: number): void {
  const configs = world.instanceConfigs.by("compute_id", compute);
  const instance = entity("compute", world.instances.get(compute));
  for (const volume of world.volumes.by("compute_id", compute)) {
    const plugged = configs.some(({ devices }) => deviceNames.some((name) => devices[name]?.volume_id === volume.id));
    if (!volume.until_boot || plugged) continue;
    detachVolume(world, volume.id);
    world.events.add("volume_detach", entity("volume", volume), { secondary_entity: instance });
  }
}
