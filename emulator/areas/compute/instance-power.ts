import { type Instance, oneOf, rescueRules } from "../../../api";
import { ErrorResponse, Reasons } from "../../core/error-response";
import { entity } from "../../core/events";
import type { RowOf } from "../../core/store";
import type { Outcome } from "../../core/tasks";
import { task, type World } from "../../core/world";
import type { AreaFragment } from "../../http/handlers";
import { detachUntilBoot } from "../storage/volume-devices";
import { checkDevices, configEntity } from "./instance-configs";
import { setStatus } from "./instance-runs";
import { joinVlans } from "./instance-vlans";

const BOOT_SECONDS = 20;
const SHUTDOWN_SECONDS = 15;
const REBOOT_SECONDS = 30;

/**
 * Statuses in which an instance accepts requests such as a reboot. The status `stopped` is not among them, because it
 * lasts until maintenance by the platform ends.
 */
export const settled = ["running", "offline"] as const;
export const off = ["offline"] as const;

export function requireStatus(
  { id, status }: RowOf<"instances">,
  fit: readonly Instance["status"][],
  field?: string,
): void {
  if (!fit.includes(status))
    throw new ErrorResponse(400, `Instance ${id} is ${status}; it must be ${fit.join(" or ")}`, field);
}

/** The status of an instance after a job: `to` if the job succeeded, `from` if it failed. */
export interface Course {
  id: number;
  to: Instance["status"];
  from: Instance["status"];
}

/** Sets the status of an instance after a job. If the job failed, the queued jobs of the instance are cancelled. */
export function arrive(world: World, { id, to, from }: Course, outcome: Outcome): void {
  if (!world.instances.find(id)) return;
  if (outcome === "failed") world.jobs.drop(id);
  setStatus(world, id, outcome === "finished" ? to : from);
}

const arrived = task<Course>("instances.arrived", arrive);

/**
 * Ends a boot: attaches the volumes and VLANs of the booted config. A boot into rescue mode leaves attached volumes and
 * VLANs unchanged.
 */
const started = task<Course>("instances.started", (world, course, outcome) => {
  arrive(world, course, outcome);
  const instance = world.instances.find(course.id);
  if (!instance || instance.rescue || outcome === "failed") return;
  detachUntilBoot(world, instance.id);
  const config = world.instanceConfigs.find(instance.booted_config);
  if (config) joinVlans(world, instance.id, config.interfaces);
});

export const instancePower = {
  tasks: [arrived, started],
  rules: { rescue: rescueRules },
  handlers: {
    boot({ world, path, body }) {
      const instance = world.instances.get(path.computeId);
      requireStatus(instance, off);
      const config = bootable(world, instance, body.config_id);
      setStatus(world, instance.id, "booting", { booted_config: config.id });
      queueBoot(world, instance);
      return {};
    },

    reboot({ world, path, body }) {
      const instance = world.instances.get(path.computeId);
      requireStatus(instance, settled);
      const config = bootable(world, instance, body.config_id);
      setStatus(world, instance.id, "rebooting", { booted_config: config.id, rescue: false });
      startBoot(world, instance, { action: "compute_reboot", runs: instance.status === "running" });
      return {};
    },

    shutdown({ world, path }) {
      const instance = world.instances.get(path.computeId);
      const { id, status } = instance;
      requireStatus(instance, settled);
      if (status === "offline") return {};
      setStatus(world, id, "shutting_down");
      world.jobs.start({
        entity: entity("compute", instance),
        action: "compute_shutdown",
        seconds: SHUTDOWN_SECONDS,
        compute: id,
        task: arrived,
        args: { id, to: "offline", from: "running" },
      });
      return {};
    },

    rescue({ world, path, body }) {
      const instance = world.instances.get(path.computeId);
      requireStatus(instance, settled);
      const problems = new Reasons();
      checkDevices(world, instance, body.devices ?? {}, problems);
      problems.throwIfAny();
      const runs = instance.status === "running";
      setStatus(world, instance.id, runs ? "rebooting" : "booting", { rescue: true });
      startBoot(world, instance, {
        action: runs ? "compute_reboot" : "compute_boot",
        runs,
        message: "Booted into the rescue system",
      });
      return {};
    },
  },
} satisfies AreaFragment<"instances">;

/**
 * Queues a boot of the normal system, which starts when the instance's other jobs, such as a resize, have ended. Does not
 * set the status `booting`: the preceding job or the calling function does.
 */
export function queueBoot(world: World, instance: RowOf<"instances">): void {
  world.instances.patch(instance.id, { rescue: false });
  startBoot(world, instance, { action: "compute_boot" });
}

/**
 * Boots the instance without a client's request: after a crash (`lassie_reboot`) or after maintenance (`host_reboot`).
 */
export function startAgain(world: World, instance: RowOf<"instances">, action: "lassie_reboot" | "host_reboot"): void {
  setStatus(world, instance.id, "booting", { rescue: false });
  startBoot(world, instance, { action });
}

/**
 * Period in milliseconds over which boots are counted: after too many of them, the watchdog does not boot a crashed
 * instance again (API documentation, part 1 · Limits · limit 4).
 */
const WATCHED_MS = 15 * 60 * 1000;

export const recentBoots = (world: World, { boots = [] }: RowOf<"instances">): readonly number[] =>
  boots.filter((at) => at > world.clock.now() - WATCHED_MS);

function startBoot(
  world: World,
  instance: RowOf<"instances">,
  {
    runs = false,
    ...job
  }: {
    action: "compute_boot" | "compute_reboot" | "lassie_reboot" | "host_reboot";
    /** Whether the instance is running. The job then shuts it down first, so it takes longer. */
    runs?: boolean;
    message?: string;
  },
): void {
  const { id } = instance;
  const { rescue, booted_config } = world.instances.get(id);
  const config = rescue ? undefined : world.instanceConfigs.find(booted_config);
  world.instances.patch(id, { boots: [...recentBoots(world, instance), world.clock.now()] });
  const args: Course = { id, to: "running", from: runs ? "running" : "offline" };
  world.jobs.start({
    ...job,
    seconds: runs ? REBOOT_SECONDS : BOOT_SECONDS,
    entity: entity("compute", instance),
    secondary: config && configEntity(config),
    compute: id,
    task: started,
    args,
  });
}

/**
 * The config to boot: the requested config, else the config that was booted last, else the instance's only config.
 * Returns an error if none of them exists.
 */
export function bootConfig(
  world: World,
  { id, booted_config }: RowOf<"instances">,
  wanted?: number,
): RowOf<"instanceConfigs"> | ErrorResponse {
  const configs = world.instanceConfigs.by("compute_id", id);
  const rejection = (reason: string) => new ErrorResponse(400, reason, "config_id");
  const which = oneOf(configs.map((config) => config.id));
  const last = configs.find((config) => config.id === (wanted ?? booted_config));
  const config = last ?? (wanted === undefined && configs.length === 1 ? configs[0] : undefined);
  if (configs.length === 0) return rejection(`Instance ${id} has no config to boot`);
  if (!config) return rejection(`Must be a config of instance ${id}: ${which}`);
  const devices = Object.values(config.devices).filter((device) => device?.disk_id ?? device?.volume_id);
  if (devices.length === 0) return rejection(`Config ${config.id} has no disk and no volume to boot from`);
  const unready = devices.find((device) => device?.disk_id && world.disks.get(device.disk_id).status !== "ready");
  if (unready) return rejection(`Disk ${unready.disk_id} of config ${config.id} is not ready`);
  return config;
}

function bootable(world: World, instance: RowOf<"instances">, wanted: number | undefined) {
  // Clients can send the config id 0 instead of omitting the id.
  const config = bootConfig(world, instance, wanted || undefined);
  if (config instanceof ErrorResponse) throw config;
  return config;
}
