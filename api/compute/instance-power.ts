import { z } from "zod";
import { Empty, PartId } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";
import { Deployment, RootPassword } from "./deployment";
import { Devices, devicesRules } from "./instance-configs";
import { Instance } from "./instance-record";

export const Booted = z.boolean().default(true).describe("Whether to boot the machine once it is deployed.");

export type InstanceRebuild = z.output<typeof InstanceRebuild>;
export const InstanceRebuild = Deployment.extend({ booted: Booted }).required({ image: true, root_pass: true });

export type RescueDevices = z.output<typeof RescueDevices>;
/** The slots that a rescue leaves to the user: `sdh` is its own (rule 10). */
export const RescueDevices = Devices.omit({ sdh: true });

export const rescueRules: Rule<{ devices?: RescueDevices | undefined }>[] = devicesRules.map((rule) => ({
  ...rule,
  source: "part 1 · Endpoints · Compute instances · rule 10",
}));

const one = "/compute/instances/{computeId}";
const source = "part 1 · Endpoints · Compute instances";
export const BootConfigId = PartId.describe(
  "Config to boot; needed only if there are several and none was booted before.",
);

const Boot = z
  .strictObject({ config_id: z.int().min(0).describe(`${BootConfigId.description} 0 is as if it were left out.`) })
  .partial();

/** Operations on an instance's power, and on the system that it boots. */
export const instancePower = {
  boot: {
    summary: "Boot an instance that is offline.",
    method: "POST",
    path: `${one}/boot`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    body: Boot,
    result: Empty,
    event: "compute_boot",
    source,
  },
  reboot: {
    summary: "Reboot an instance, or boot it if it is offline.",
    method: "POST",
    path: `${one}/reboot`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    body: Boot,
    result: Empty,
    event: "compute_reboot",
    decided: ["The event is compute_reboot for an instance that was offline as well."],
    source,
  },
  shutdown: {
    summary: "Shut an instance down. Has no effect on one that is offline.",
    method: "POST",
    path: `${one}/shutdown`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    result: Empty,
    event: "compute_shutdown",
    source,
  },
  rescue: {
    summary:
      "Boot an instance into a small system from which its disks can be mended; the next reboot is a normal one.",
    method: "POST",
    path: `${one}/rescue`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    body: z
      .strictObject({
        devices: RescueDevices.describe("Disks and volumes to plug in; sdh is reserved for the rescue system itself."),
      })
      .partial(),
    result: Empty,
    event: "compute_reboot",
    decided: [
      "An instance that runs is rebooted (event compute_reboot), one that is offline is booted (event compute_boot).",
      "A slot that is not named stays empty; without `devices` all are.",
      "The instance stays in the VLANs that it is in.",
    ],
    source: `${source} · rule 10`,
  },
  rebuild: {
    summary: "Delete an instance's disks and configs and deploy an image in their place.",
    method: "POST",
    path: `${one}/rebuild`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    body: InstanceRebuild,
    result: Instance,
    event: "compute_rebuild",
    source,
  },
  resetPassword: {
    summary: "Set the root password of an instance that is offline and has one disk in addition to swap.",
    method: "POST",
    path: `${one}/password`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    body: z.strictObject({ root_pass: RootPassword }),
    result: Empty,
    event: "password_reset",
    source,
  },
} satisfies Area;
