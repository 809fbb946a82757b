import { Volume, volumeCreateRules } from "../../../api";
import { Reasons } from "../../core/error-response";
import { entity } from "../../core/events";
import { type RowOf, table, withFields } from "../../core/store";
import { task, type World } from "../../core/world";
import { allowedTags, requireFreeLabel } from "../../http/account-checks";
import { type AreaModule, listed } from "../../http/handlers";
import { checkRegion } from "../compute/regions";
import { attachable, attachVolume, configOf, detachVolume, freeSlot, plug, rejectMigrating } from "./volume-devices";

/** A stored volume. The label of the instance is looked up when the volume is read. */
export interface VolumeRow extends Omit<Volume, "compute_label"> {
  /** Whether the volume is attached only until the instance's next boot. Defaults to false. */
  until_boot?: boolean;
}

/**
 * The schema of stored volumes. The label of the instance is missing, because it is looked up when the volume is read.
 */
const shape = Volume.omit({ compute_label: true });

const CREATE_SECONDS = 10;
const RESIZE_SECONDS = 10;

/** The operations that each status of a volume allows (API documentation, part 1 · Endpoints · Volumes · rule 3). */
const allowed = {
  creating: [],
  active: ["cloned", "resized"],
  resizing: [],
  contact_support: [],
} as const satisfies Record<Volume["status"], readonly ("cloned" | "resized")[]>;

/**
 * Runs when a job that writes data to a volume has ended. The volume becomes active, or gets the status
 * `contact_support` if the job failed.
 */
const settled = task<{ id: number }>("volumes.settled", (world, { id }, outcome) => {
  if (world.volumes.find(id))
    world.volumes.patch(id, { status: outcome === "finished" ? "active" : "contact_support" });
});

export const volumes: AreaModule<"volumes", { volumes: VolumeRow }> = {
  tables: {
    volumes: table<VolumeRow>([], { refs: { compute_id: "instances", region: "regions" }, shape }),
  },
  tasks: [settled],
  rules: { create: volumeCreateRules },
  handlers: {
    list: ({ world }) => listed(world.volumes, (row) => volumeRecord(world, row)),

    create({ world, caller, body }) {
      const { label, size, tags = [] } = body;
      const problems = new Reasons();
      allowedTags(caller, tags, []);
      requireFreeLabel(world.volumes, problems, label);
      const instance = body.compute_id === undefined ? undefined : attachable(world, caller, body.compute_id, problems);
      problems.addUnless(
        body.config_id === undefined || body.compute_id !== undefined,
        "Requires compute_id",
        "config_id",
      );
      if (instance && body.region !== undefined && body.region !== instance.region)
        problems.add(`Must be ${instance.region}, the region of the instance`, "region");
      const region = body.region ?? instance?.region;
      if (region !== undefined)
        checkRegion(world, region, "Block Storage", problems, body.region === undefined ? "compute_id" : "region");
      const config = instance && configOf(world, instance, body.config_id, problems);
      const slot = config && freeSlot(config, problems);
      problems.throwIfAny();
      const volume = add(world, { label, size, tags, region: region as string, compute_id: instance?.id ?? null });
      if (slot) plug(world, slot, volume.id);
      world.jobs.start({
        entity: entity("volume", volume),
        action: "volume_create",
        seconds: CREATE_SECONDS,
        task: settled,
        args: { id: volume.id },
      });
      return volumeRecord(world, volume);
    },

    view: ({ world, path }) => volumeRecord(world, world.volumes.get(path.volumeId)),

    update({ world, caller, path, body, emit }) {
      const { id, tags: current } = world.volumes.get(path.volumeId);
      const problems = new Reasons();
      const tags = allowedTags(caller, body.tags, current);
      if (body.label !== undefined) requireFreeLabel(world.volumes, problems, body.label, id);
      problems.throwIfAny();
      const volume = world.volumes.patch(id, { ...body, tags, filesystem_path: body.label && devicePath(body.label) });
      emit(entity("volume", volume));
      return volumeRecord(world, volume);
    },

    delete({ world, path, emit }) {
      const volume = world.volumes.get(path.volumeId);
      letGo(world, volume);
      world.volumes.remove(volume.id);
      emit(entity("volume", volume));
      return {};
    },

    attach({ world, caller, path, body }) {
      const volume = world.volumes.get(path.volumeId);
      const problems = new Reasons();
      problems.addUnless(
        volume.compute_id === null,
        `The volume is attached to instance ${volume.compute_id}; detach it first`,
      );
      const instance = attachable(world, caller, body.compute_id, problems);
      if (instance && instance.region !== volume.region)
        problems.add(
          `Must be in ${volume.region}, the region of the volume; the instance is in ${instance.region}`,
          "compute_id",
        );
      const needsConfig = body.persist_across_boots || body.config_id !== undefined;
      const config = instance && needsConfig ? configOf(world, instance, body.config_id, problems) : undefined;
      const slot = config && body.persist_across_boots ? freeSlot(config, problems) : undefined;
      problems.throwIfAny();
      if (slot) plug(world, slot, volume.id);
      return volumeRecord(
        world,
        attachVolume(world, volume, instance as RowOf<"instances">, !body.persist_across_boots),
      );
    },

    clone({ world, path, body: { label } }) {
      const source = world.volumes.get(path.volumeId);
      const problems = new Reasons();
      requireActive(source, "cloned", problems);
      requireFreeLabel(world.volumes, problems, label);
      const { size, region } = source;
      checkRegion(world, region, "Block Storage", problems);
      problems.throwIfAny();
      const copy = add(world, { label, size, region, tags: [], compute_id: null });
      world.jobs.start({
        entity: entity("volume", source),
        secondary: entity("volume", copy),
        action: "volume_clone",
        seconds: CREATE_SECONDS,
        task: settled,
        args: { id: copy.id },
      });
      return volumeRecord(world, copy);
    },

    detach({ world, caller, path, emit }) {
      const volume = world.volumes.get(path.volumeId);
      const instance = world.instances.find(volume.compute_id);
      if (instance) caller.need("compute", instance.id, "read_write");
      letGo(world, volume);
      emit(entity("volume", volume), { secondary_entity: instance ? entity("compute", instance) : null });
      return {};
    },

    resize({ world, path, body: { size } }) {
      const volume = world.volumes.get(path.volumeId);
      const problems = new Reasons();
      requireActive(volume, "resized", problems);
      problems.addUnless(size > volume.size, `Must be more than ${volume.size}: a volume can only grow`, "size");
      problems.throwIfAny();
      world.volumes.patch(volume.id, { size, status: "resizing" });
      world.jobs.start({
        entity: entity("volume", volume),
        action: "volume_resize",
        seconds: RESIZE_SECONDS,
        task: settled,
        args: { id: volume.id },
      });
      return {};
    },
  },
};

/** The volume as the API returns it, also in the list of volumes of an instance. */
export const volumeRecord = (world: World, row: Readonly<VolumeRow>): Volume =>
  withFields(row, { compute_label: world.instances.find(row.compute_id)?.label ?? null });

const devicePath = (label: string): string => `/dev/disk/by-id/scsi-0Compute_Volume_${label}`;

function add(
  world: World,
  volume: Pick<VolumeRow, "label" | "size" | "tags" | "region" | "compute_id">,
): Readonly<VolumeRow> {
  const filesystem_path = devicePath(volume.label);
  return world.volumes.insert({ ...volume, status: "creating", hardware_type: "nvme", filesystem_path });
}

function requireActive({ status }: Readonly<VolumeRow>, done: "cloned" | "resized", problems: Reasons): void {
  const isAllowed = (allowed[status] as readonly string[]).includes(done);
  problems.addUnless(isAllowed, `The volume is ${status}; only an active one can be ${done}`);
}

/**
 * Detaches the volume if it is attached. Throws if its instance is migrating (API documentation, part 1 · Endpoints ·
 * Volumes · rule 6).
 */
function letGo(world: World, { id, compute_id }: Readonly<VolumeRow>): void {
  if (compute_id === null) return;
  rejectMigrating(world.instances.get(compute_id));
  detachVolume(world, id);
}
