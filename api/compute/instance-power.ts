import { z } from "zod";
import { Empty, PartId } from "../schema/common";
import type { Area } from "../schema/operation";
import type { Rule } from "../schema/rule";
import { Deployment, RootPassword, usersHaveKeys } from "./deployment";
import { Devices, devicesRules } from "./instance-configs";
import { Instance } from "./instance-record";

export const Booted = z
  .boolean()
  .default(true)
  .describe("Whether to boot the instance when it has been created or rebuilt.");

export type InstanceRebuild = z.output<typeof InstanceRebuild>;
export const InstanceRebuild = Deployment.extend({ booted: Booted }).required({ image: true, root_pass: true });

export type RescueDevices = z.output<typeof RescueDevices>;
/** The device slots in rescue mode. The slot `sdh` is missing because it is reserved for the rescue system. */
export const RescueDevices = Devices.omit({ sdh: true });

export const rescueRules: Rule<{ devices?: RescueDevices | undefined }>[] = devicesRules.map((rule) => ({
  ...rule,
  source: "part 1 · Endpoints · Compute instances · rule 10",
}));

const one = "/compute/instances/{computeId}";
const source = "part 1 · Endpoints · Compute instances";
export const BootConfigId = PartId.describe(
  "Boot config to use. Required if the instance has several boot configs and has not been booted before.",
);

const Boot = z
  .strictObject({
    config_id: z.int().min(0).describe(`${BootConfigId.description} 0 has the same effect as omitting the field.`),
  })
  .partial();

/** Operations that change the power state of an instance, or the system that it boots. */
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
    decided: ["The event is compute_reboot even if the instance was offline."],
    source,
  },
  shutdown: {
    summary: "Shut down an instance. Has no effect on an offline instance.",
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
    summary: "Boot an instance into rescue mode, in which its disks can be repaired. The next reboot is a normal one.",
    method: "POST",
    path: `${one}/rescue`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    body: z
      .strictObject({
        devices: RescueDevices.describe(
          "Disks and volumes by device slot, from `sda` to `sdg`. Omitted slots are empty. The slot `sdh` is reserved for the rescue system.",
        ),
      })
      .partial(),
    result: Empty,
    event: "compute_reboot",
    decided: [
      "A running instance is rebooted (event compute_reboot), an offline instance is booted (event compute_boot).",
      "Omitted slots are empty. Without `devices`, all slots are empty.",
      "The instance keeps its VLAN interfaces in rescue mode.",
    ],
    source: `${source} · rule 10`,
  },
  rebuild: {
    summary: "Delete the disks and boot configs of an instance and deploy an image.",
    method: "POST",
    path: `${one}/rebuild`,
    scopes: ["computes:read_write"],
    grant: "read_write",
    idle: true,
    body: InstanceRebuild,
    result: Instance,
    event: "compute_rebuild",
    decided: [usersHaveKeys],
    source,
  },
  resetPassword: {
    summary:
      "Reset the root password of an instance. The instance must be offline and have one disk in addition to swap.",
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
