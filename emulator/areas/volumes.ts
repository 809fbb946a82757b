import { deviceNames, reasons, type Volume, volumeCreateRules, type volumes } from "../../api";
import { entity } from "../events";
import { type Call, type Handlers, listed, type Rules } from "../handlers";
import { Reasons, Refusal } from "../refusal";
import { table } from "../store";
import { task } from "../tasks";
import type { World } from "../world";
import type { InstanceConfigRow, InstanceRow } from "./instances";

/** A volume as it is kept: the label of its instance is looked up when it is shown. */
export interface VolumeRow extends Omit<Volume, "compute_label"> {}

export const tables = { volumes: table<VolumeRow>() };

const CREATE_SECONDS = 10;
const RESIZE_SECONDS = 10;

/** What a volume of a status lets be done to its data (part 1 · Endpoints · Volumes · rule 3). */
const allowed = {
  creating: [],
  active: ["clone", "resize"],
  resizing: [],
  contact_support: [],
} as const satisfies Record<Volume["status"], readonly ("clone" | "resize")[]>;

/** The data is there, or will never be. */
const settled = task<{ id: number }>("volumes.settled", (world, { id }, outcome) => {
  if (world.volumes.find(id))
    world.volumes.patch(id, { status: outcome === "finished" ? "active" : "contact_support" });
});

export const tasks = [settled];

export const rules: Rules<typeof volumes> = { create: volumeCreateRules };

export const handlers: Handlers<typeof volumes> = {
  list: ({ world }) => listed(world.volumes.all(), (row) => shown(world, row)),

  create({ world, caller, body }) {
    const problems = new Reasons();
    refuseTags(caller, body.tags);
    refuseTakenLabel(world, problems, body.label);
    const instance = body.compute_id === undefined ? undefined : attachable(world, caller, body.compute_id, problems);
    problems.require(instance !== undefined || body.config_id === undefined, "Needs compute_id", "config_id");
    if (instance && body.region !== undefined)
      problems.require(body.region === instance.region, `Must be ${instance.region}, where the instance is`, "region");
    const slot = instance && freeSlot(world, instance, body.config_id, problems);
    problems.refuse();
    const { label, size, tags = [] } = body;
    const region = instance?.region ?? (body.region as string);
    const volume = add(world, { label, size, tags, region, compute_id: instance?.id ?? null });
    if (slot) plug(world, slot, volume.id);
    const about = entity("volume", volume);
    world.jobs.start({
      entity: about,
      action: "volume_create",
      seconds: CREATE_SECONDS,
      task: settled,
      args: { id: volume.id },
    });
    return shown(world, volume);
  },

  view: ({ world, path }) => shown(world, world.volumes.get(path.volumeId)),

  update({ world, caller, path, body, emit }) {
    const { id } = world.volumes.get(path.volumeId);
    const problems = new Reasons();
    refuseTags(caller, body.tags);
    if (body.label !== undefined) refuseTakenLabel(world, problems, body.label, id);
    problems.refuse();
    const volume = world.volumes.patch(id, { ...body, ...(body.label && { filesystem_path: device(body.label) }) });
    emit(entity("volume", volume));
    return shown(world, volume);
  },

  delete({ world, path, emit }) {
    const volume = world.volumes.get(path.volumeId);
    if (volume.compute_id !== null)
      throw new Refusal(400, `The volume is attached to instance ${volume.compute_id}; detach it first`);
    world.volumes.remove(volume.id);
    emit(entity("volume", volume));
    return {};
  },

  attach({ world, caller, path, body, emit }) {
    const volume = world.volumes.get(path.volumeId);
    const problems = new Reasons();
    if (volume.compute_id !== null)
      throw new Refusal(400, `The volume is attached to instance ${volume.compute_id}; detach it first`);
    const instance = attachable(world, caller, body.compute_id, problems);
    if (instance && instance.region !== volume.region)
      problems.add(
        `The instance is in ${instance.region}, the volume in ${volume.region}; both must be in the same region`,
        "compute_id",
      );
    const slot =
      instance && body.persist_across_boots ? freeSlot(world, instance, body.config_id, problems) : undefined;
    problems.refuse();
    if (slot) plug(world, slot, volume.id);
    const attached = world.volumes.patch(volume.id, { compute_id: body.compute_id });
    emit(entity("volume", volume), { secondary_entity: entity("compute", instance as InstanceRow) });
    return shown(world, attached);
  },

  clone({ world, path, body }) {
    const source = world.volumes.get(path.volumeId);
    const problems = new Reasons();
    refuseUnless(source, "clone");
    refuseTakenLabel(world, problems, body.label);
    problems.refuse();
    const { size, region } = source;
    const copy = add(world, { label: body.label, size, region, tags: [], compute_id: null });
    world.jobs.start({
      entity: entity("volume", source),
      secondary: entity("volume", copy),
      action: "volume_clone",
      seconds: CREATE_SECONDS,
      task: settled,
      args: { id: copy.id },
    });
    return shown(world, copy);
  },

  detach({ world, caller, path, emit }) {
    const volume = world.volumes.get(path.volumeId);
    if (volume.compute_id === null) throw new Refusal(400, "The volume is not attached");
    caller.need("compute", volume.compute_id, "read_write");
    detachVolume(world, volume.id);
    emit(entity("volume", volume));
    return {};
  },

  resize({ world, path, body }) {
    const volume = world.volumes.get(path.volumeId);
    refuseUnless(volume, "resize");
    if (body.size <= volume.size)
      throw new Refusal(400, `Must be more than ${volume.size}: a volume can only grow`, "size");
    world.volumes.patch(volume.id, { size: body.size, status: "resizing" });
    const about = entity("volume", volume);
    world.jobs.start({
      entity: about,
      action: "volume_resize",
      seconds: RESIZE_SECONDS,
      task: settled,
      args: { id: volume.id },
    });
    return {};
  },
};

/** As the API shows it; the list of an instance's volumes shows them the same way. */
export const shown = (world: World, row: Readonly<VolumeRow>): Volume => ({
  ...row,
  compute_label: world.instances.find(row.compute_id)?.label ?? null,
});

/** Takes a volume off its instance and out of the instance's configs; deleting an instance does so as well. */
export function detachVolume(world: World, id: number): void {
  const { compute_id } = world.volumes.get(id);
  for (const config of compute_id === null ? [] : world.instanceConfigs.by("compute_id", compute_id)) {
    const slot = deviceNames.find((name) => config.devices[name]?.volume_id === id);
    if (slot) plug(world, { config, name: slot }, null);
  }
  world.volumes.patch(id, { compute_id: null });
}

const device = (label: string): string => `/dev/disk/by-id/scsi-0Compute_Volume_${label}`;

function add(
  world: World,
  volume: Pick<VolumeRow, "label" | "size" | "tags" | "region" | "compute_id">,
): Readonly<VolumeRow> {
  return world.volumes.insert({
    ...volume,
    status: "creating",
    hardware_type: "nvme",
    filesystem_path: device(volume.label),
  });
}

function refuseTakenLabel(world: World, problems: Reasons, label: string, self?: number): void {
  problems.require(!world.volumes.by("label", label).some(({ id }) => id !== self), reasons.labelTaken, "label");
}

function refuseTags(caller: Call<typeof volumes.create>["caller"], tags: readonly string[] | undefined): void {
  if (caller.restricted && tags?.length)
    throw new Refusal(403, "Only unrestricted users can add or change tags", "tags");
}

function refuseUnless(volume: Readonly<VolumeRow>, action: "clone" | "resize"): void {
  if (!(allowed[volume.status] as readonly string[]).includes(action))
    throw new Refusal(400, `The volume is ${volume.status}; only an active one can be ${action}d`);
}

/** The instance, if the caller may attach to it and it takes one more volume. */
function attachable(
  world: World,
  caller: Call<typeof volumes.attach>["caller"],
  id: number,
  problems: Reasons,
): Readonly<InstanceRow> | undefined {
  const instance = world.instances.find(id);
  if (!instance || !caller.may("compute", id, "read_only")) {
    problems.add(`There is no instance ${id}`, "compute_id");
    return undefined;
  }
  caller.need("compute", id, "read_write");
  const limit = attachLimit(instance.specs.memory);
  const count = world.volumes.by("compute_id", id).length;
  problems.require(count < limit, `The instance has ${count} volumes and takes ${limit} at most`, "compute_id");
  return instance;
}

/** As many as the instance has GB of RAM, but 8 at least and 64 at most (rule 5). */
const attachLimit = (memory: number): number => Math.min(64, Math.max(8, Math.floor(memory / 1024)));

interface Slot {
  config: Readonly<InstanceConfigRow>;
  name: (typeof deviceNames)[number];
}

/** The first free device of the config: the one that is named, or the instance's only one (rules 2 and 4). */
function freeSlot(
  world: World,
  instance: Readonly<InstanceRow>,
  wanted: number | undefined,
  problems: Reasons,
): Slot | undefined {
  const configs = world.instanceConfigs.by("compute_id", instance.id);
  const config =
    wanted === undefined ? (configs.length === 1 ? configs[0] : undefined) : configs.find(({ id }) => id === wanted);
  if (!config) {
    const which = configs.length === 0 ? "it has none" : `it has ${configs.map(({ id }) => id).join(", ")}`;
    problems.add(
      wanted === undefined
        ? `Must name a config of instance ${instance.id}: ${which}`
        : `Must be a config of instance ${instance.id}: ${which}`,
      "config_id",
    );
    return undefined;
  }
  const name = deviceNames.find((slot) => !config.devices[slot]?.disk_id && !config.devices[slot]?.volume_id);
  if (name) return { config, name };
  problems.add(`Config ${config.id} has no free device`, "config_id");
  return undefined;
}

function plug(world: World, { config, name }: Slot, volume: number | null): void {
  const devices = { ...config.devices, [name]: { disk_id: null, volume_id: volume } };
  world.instanceConfigs.patch(config.id, { devices });
}
