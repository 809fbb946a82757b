import { type Instance, type instances, oneOf } from "../../api";
import { entity } from "../events";
import type { Handlers } from "../handlers";
import { refuseBusy } from "../jobs";
import { Refusal } from "../refusal";
import { type Outcome, task } from "../tasks";
import type { World } from "../world";
import type { InstanceConfigRow } from "./instance-configs";
import type { InstanceRow } from "./instances";
import { enterVlans } from "./vlans";

const BOOT_SECONDS = 20;
const SHUTDOWN_SECONDS = 15;
const REBOOT_SECONDS = 30;

type Act = "boot" | "reboot" | "shutdown" | "resize" | "rebuild" | "backup" | "add disk" | "change disk";

/** What can be done to an instance in each status; while it is on its way from one to another, nothing. */
const allowed = {
  running: ["reboot", "shutdown", "resize", "rebuild", "backup", "add disk"],
  offline: ["boot", "resize", "rebuild", "backup", "add disk", "change disk"],
  booting: [],
  rebooting: [],
  shutting_down: [],
  provisioning: [],
  deleting: [],
  migrating: [],
  rebuilding: [],
  cloning: [],
  restoring: [],
  // The platform has stopped it for maintenance (part 1 · States and transitions) and starts it again itself.
  stopped: [],
} as const satisfies Record<Instance["status"], readonly Act[]>;

/** Refuses what the instance's status does not allow. */
export function refuseStatus({ id, status }: Readonly<InstanceRow>, act: Act, field?: string): void {
  if ((allowed[status] as readonly Act[]).includes(act)) return;
  const fit = Object.entries(allowed).filter(([, acts]) => (acts as readonly Act[]).includes(act));
  throw new Refusal(400, `Instance ${id} is ${status}; it must be ${fit.map(([name]) => name).join(" or ")}`, field);
}

/** Refuses what needs the instance idle and in a status that allows it (rules 11 and 12). */
export function refuseUnless(world: World, instance: Readonly<InstanceRow>, act: Act): void {
  refuseBusy(world, instance.id);
  refuseStatus(instance, act);
}

/** How a job leaves its instance: in the status if it ended well, else in the one before. */
export interface Course {
  id: number;
  to: Instance["status"];
  from: Instance["status"];
}

/** Moves an instance on after a job; when that failed, what waits behind it has lost its ground. */
export function arrive(world: World, { id, to, from }: Course, outcome: Outcome): void {
  if (!world.instances.find(id)) return;
  if (outcome === "failed") world.jobs.drop(id);
  world.instances.patch(id, { status: outcome === "finished" ? to : from });
  if (outcome === "finished" && to === "running") enterVlans(world, id);
}

const arrived = task<Course>("instances.arrived", arrive);

export const tasks = [arrived];

export const handlers = {
  boot({ world, path, body }) {
    const instance = world.instances.get(path.computeId);
    refuseUnless(world, instance, "boot");
    const config = bootable(world, instance, body.config_id);
    world.instances.patch(instance.id, { status: "booting", booted_config: config.id });
    queueBoot(world, instance);
    return {};
  },

  reboot({ world, path, body }) {
    const instance = world.instances.get(path.computeId);
    refuseUnless(world, instance, "reboot");
    const config = bootable(world, instance, body.config_id);
    world.instances.patch(instance.id, { status: "rebooting", booted_config: config.id });
    startPower(world, instance, "compute_reboot", REBOOT_SECONDS, "running", "running");
    return {};
  },

  shutdown({ world, path }) {
    const instance = world.instances.get(path.computeId);
    refuseUnless(world, instance, "shutdown");
    world.instances.patch(instance.id, { status: "shutting_down" });
    startPower(world, instance, "compute_shutdown", SHUTDOWN_SECONDS, "offline", "running");
    return {};
  },
} satisfies Partial<Handlers<typeof instances>>;

/** Boots the instance once its other jobs are done; the one before sets the status `booting`. */
export function queueBoot(world: World, instance: Readonly<InstanceRow>): void {
  startPower(world, instance, "compute_boot", BOOT_SECONDS, "running", "offline");
}

function startPower(
  world: World,
  instance: Readonly<InstanceRow>,
  action: "compute_boot" | "compute_reboot" | "compute_shutdown",
  seconds: number,
  to: Instance["status"],
  from: Instance["status"],
): void {
  const { id } = instance;
  const about = entity("compute", instance);
  world.jobs.start({ entity: about, action, seconds, compute: id, task: arrived, args: { id, to, from } });
}

/** The config to boot: the one that is named, else the last one booted, else the only one. */
function bootable(
  world: World,
  { id, booted_config }: Readonly<InstanceRow>,
  wanted: number | undefined,
): Readonly<InstanceConfigRow> {
  const configs = world.instanceConfigs.by("compute_id", id);
  const which = oneOf(configs.map((config) => config.id));
  const last = configs.find((config) => config.id === (wanted ?? booted_config));
  const config = last ?? (wanted === undefined && configs.length === 1 ? configs[0] : undefined);
  if (configs.length === 0) throw new Refusal(400, `Instance ${id} has no config to boot`, "config_id");
  if (!config) throw new Refusal(400, `Must be a config of instance ${id}: ${which}`, "config_id");
  const devices = Object.values(config.devices).filter((device) => device?.disk_id ?? device?.volume_id);
  if (devices.length === 0)
    throw new Refusal(400, `Config ${config.id} has no disk and no volume to boot from`, "config_id");
  const unready = devices.find((device) => device?.disk_id && world.disks.get(device.disk_id).status !== "ready");
  if (unready) throw new Refusal(400, `Disk ${unready.disk_id} of config ${config.id} is not ready`, "config_id");
  return config;
}
