import type { Instance } from "../../api";
import type { Fate } from "../engine/resource";

/** The states in which an instance is on its way to another, and the one that it does not come back from. */
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
} as const satisfies Partial<Record<Instance["status"], Fate>>;
