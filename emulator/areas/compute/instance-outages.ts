import { Refusal } from "../../core/refusal";
import { task } from "../../core/tasks";
import type { World } from "../../core/world";
import { bootConfig, recentBoots, startAgain } from "./instance-power";
import { setStatus } from "./instance-runs";

/** More boot jobs than this in a quarter of an hour, and the watchdog gives up (part 1 · Limits · limit 4). */
const GIVES_UP_AFTER = 5;

/** The machine powers off without a job; the watchdog, if it is on, boots it again. */
export function crash(world: World, id: number): void {
  const instance = world.instances.get(id);
  if (instance.status !== "running")
    throw new Refusal(400, `Instance ${id} is ${instance.status}; only a running one can crash`, "compute_id");
  world.events.actor = null;
  setStatus(world, id, "offline");
  if (!instance.watchdog_enabled || recentBoots(world, instance).length > GIVES_UP_AFTER) return;
  if (!(bootConfig(world, instance) instanceof Refusal)) startAgain(world, instance, "lassie_reboot");
}

/** The maintenance is over: what ran before runs again. */
const maintained = task<{ id: number; ran: boolean }>("instances.maintained", (world, { id, ran }) => {
  const instance = world.instances.find(id);
  if (instance?.status !== "stopped") return;
  if (ran && !(bootConfig(world, instance) instanceof Refusal)) startAgain(world, instance, "host_reboot");
  else setStatus(world, id, "offline");
});

export const outageTasks = [maintained];

/** The platform stops the machine for so many seconds, whatever it is doing (part 1 · States and transitions). */
export function stopForMaintenance(world: World, id: number, seconds: number): void {
  const { status } = world.instances.get(id);
  if (status === "stopped" || status === "deleting")
    throw new Refusal(400, `Instance ${id} is ${status} already`, "compute_id");
  world.events.actor = null;
  world.jobs.fail(world, id);
  const ran = world.instances.get(id).status === "running";
  setStatus(world, id, "stopped");
  world.later(maintained, { id, ran }, seconds, { background: true });
}

/** The platform wants the machine to move to another host; the move waits until a request starts it. */
export function scheduleMigration(world: World, id: number): void {
  world.instances.get(id);
  world.instances.patch(id, { migration_pending: true });
}
