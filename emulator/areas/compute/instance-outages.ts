import { ErrorResponse } from "../../core/error-response";
import { task, type World } from "../../core/world";
import { bootConfig, recentBoots, startAgain } from "./instance-power";
import { setStatus } from "./instance-runs";

/**
 * Number of boot jobs in 15 minutes after which the watchdog stops booting an instance (API documentation, part 1 ·
 * Limits · limit 4).
 */
const GIVES_UP_AFTER = 5;

/**
 * Simulates an instance that powers off by itself. If the instance's watchdog is enabled, the watchdog boots the
 * instance again.
 */
export function crash(world: World, id: number): void {
  const instance = world.instances.get(id);
  if (instance.status !== "running")
    throw new ErrorResponse(400, `Instance ${id} is ${instance.status}; only a running one can crash`, "compute_id");
  world.events.actor = null;
  setStatus(world, id, "offline");
  if (!instance.watchdog_enabled || recentBoots(world, instance).length > GIVES_UP_AFTER) return;
  if (!(bootConfig(world, instance) instanceof ErrorResponse)) startAgain(world, instance, "lassie_reboot");
}

/** Ends the maintenance of an instance. Boots the instance again if it was running before. */
const maintained = task<{ id: number; ran: boolean }>("instances.maintained", (world, { id, ran }) => {
  const instance = world.instances.find(id);
  if (instance?.status !== "stopped") return;
  if (ran && !(bootConfig(world, instance) instanceof ErrorResponse)) startAgain(world, instance, "host_reboot");
  else setStatus(world, id, "offline");
});

export const outageTasks = [maintained];

/**
 * Simulates maintenance of an instance, whatever its status is. The platform stops the instance for the given number of
 * seconds (API documentation, part 1 · States and transitions).
 */
export function stopForMaintenance(world: World, id: number, seconds: number): void {
  const { status } = world.instances.get(id);
  if (status === "stopped" || status === "deleting")
    throw new ErrorResponse(400, `Instance ${id} is already ${status}`, "compute_id");
  world.events.actor = null;
  world.jobs.fail(id);
  const ran = world.instances.get(id).status === "running";
  setStatus(world, id, "stopped");
  world.later(maintained, { id, ran }, seconds, { background: true });
}

/** Schedules a migration of the instance to another host. The migration starts when a client requests it. */
export function scheduleMigration(world: World, id: number): void {
  world.instances.get(id);
  world.instances.patch(id, { migration_pending: true });
}
