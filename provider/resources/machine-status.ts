import type { Instance } from "../../api";
import type { Observed } from "../engine/contexts";
import type { ReadinessRule } from "../engine/definition";

/** The meaning of each status during a job: wait until the job ends, or fail if the instance is being deleted. */
export const underWay = {
  booting: "wait",
  rebooting: "wait",
  shutting_down: "wait",
  provisioning: "wait",
  migrating: "wait",
  rebuilding: "wait",
  cloning: "wait",
  restoring: "wait",
  deleting: "failed",
} as const satisfies Partial<Record<Instance["status"], ReadinessRule>>;

/** An instance whose status may be unknown, because a response can lack it. */
export type Powered = Observed<Pick<Instance, "status">>;

/**
 * The power state that a status shows. Other statuses do not show it: during a migration, for example, or while the
 * platform has stopped the instance for maintenance and boots it afterwards.
 */
const powerStates: { readonly [S in Instance["status"]]?: boolean } = {
  running: true,
  booting: true,
  rebooting: true,
  shutting_down: false,
  offline: false,
};

/** Whether the instance is on. Undefined if its status does not show that. */
export const powerOf = ({ status }: Powered): boolean | undefined => status && powerStates[status];

export const powered = (observed: Powered): boolean => powerOf(observed) === true;
