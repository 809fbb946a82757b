import { Instance, instanceCreateRules, type instances } from "../../api";
import { entity } from "../events";
import { type Handlers, listed, type Rules } from "../handlers";
import { Reasons } from "../refusal";
import { table } from "../store";
import type { World } from "../world";
import { backupsGone } from "./backup-contents";
import { firewallsOf, unassign } from "./firewall-devices";
import { wipe } from "./instance-backups";
import * as creation from "./instance-create";
import { addInstance, checkCreate, refuseTags, refuseTakenLabel } from "./instance-create";
import * as power from "./instance-power";
import * as rebuild from "./instance-rebuild";
import * as resize from "./instance-resize";
import { replaceLost } from "./lke-nodes";
import { detachVolume } from "./volume-devices";
import { shown as shownVolume } from "./volumes";

export type { InstanceConfigRow } from "./instance-configs";

/** An instance, and what of it nobody is shown. */
export interface InstanceRow extends Instance {
  /** The config that it boots unless another is named: the last one booted. */
  booted_config?: number | null;
  /** Whether a support request has enabled it for further public addresses: set through `/_emulator/state`. */
  extra_addresses?: boolean;
}

export const tables = {
  instances: table<InstanceRow>([], { refs: { region: "regions", type: "types" }, shape: Instance }),
};

export const tasks = [...creation.tasks, ...power.tasks, ...rebuild.tasks, ...resize.tasks];

export const rules: Rules<typeof instances> = { create: instanceCreateRules };

export const handlers: Handlers<typeof instances> = {
  ...power.handlers,
  ...rebuild.handlers,
  ...resize.handlers,

  list: ({ world }) => world.instances,

  create({ world, caller, body }) {
    const problems = new Reasons();
    checkCreate(world, caller, body, problems);
    problems.refuse();
    return addInstance(world, body);
  },

  view: ({ world, path }) => world.instances.get(path.computeId),

  update({ world, caller, path, body, emit }) {
    const instance = world.instances.get(path.computeId);
    const problems = new Reasons();
    refuseTags(caller, body.tags);
    if (body.label !== undefined) refuseTakenLabel(world, problems, body.label, instance.id);
    problems.refuse();
    const { alerts, backups, ...plain } = body;
    const changed = world.instances.patch(instance.id, {
      ...plain,
      alerts: merged(instance.alerts, alerts),
      backups: { ...instance.backups, schedule: merged(instance.backups.schedule, backups?.schedule) },
    });
    emit(entity("compute", changed));
    return changed;
  },

  delete({ world, path, emit }) {
    const instance = world.instances.get(path.computeId);
    removeInstance(world, instance.id);
    emit(entity("compute", instance));
    replaceLost(world, instance.id);
    return {};
  },

  volumes({ world, caller, path }) {
    const { id } = world.instances.get(path.computeId);
    const volumes = world.volumes.by("compute_id", id).filter((volume) => caller.may("volume", volume.id, "read_only"));
    return listed(volumes, (row) => shownVolume(world, row));
  },

  firewalls({ world, caller, path }) {
    const { id } = world.instances.get(path.computeId);
    return firewallsOf(world, id).filter((firewall) => caller.may("firewall", firewall.id, "read_only"));
  },
};

/**
 * Removes an instance, at once, with all that is its own: jobs, addresses, disks, configs and backups (rule 8). Its volumes
 * and firewalls stay.
 */
export function removeInstance(world: World, id: number): void {
  world.jobs.drop(id);
  unassign(world, id);
  for (const volume of world.volumes.by("compute_id", id)) detachVolume(world, volume.id);
  wipe(world, id);
  backupsGone(world, id);
  for (const address of world.addresses.by("compute_id", id)) world.addresses.remove(address.id);
  world.instances.remove(id);
}

function merged<T extends object>(now: T, changes: { [K in keyof T]?: T[K] | undefined } = {}): T {
  const stated = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...now, ...Object.fromEntries(stated) };
}
