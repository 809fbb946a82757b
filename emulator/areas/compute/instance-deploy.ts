import { createHash } from "node:crypto";
import type { Deployment, Interface } from "../../../api";
import type { Reasons } from "../../core/error-response";
import type { RowOf } from "../../core/store";
import type { World } from "../../core/world";
import { filesystemOf } from "../storage/image-origins";
import { addConfig } from "./instance-configs";

/**
 * Checks the parts of a deployment that depend on existing objects, such as the image. All other parts are validated
 * with the schemas and rules in `api/`.
 */
export function checkDeployment(
  world: World,
  { image: wanted, authorized_users: users = [] }: Deployment,
  room: { size: number; field: string },
  problems: Reasons,
): void {
  for (const [at, name] of users.entries())
    problems.addUnless(
      world.users.find(name) !== undefined,
      `There is no user ${JSON.stringify(name)}`,
      `authorized_users.${at}`,
    );
  if (wanted === undefined) return;
  const image = world.images.get(wanted);
  if (image.status !== "available") {
    problems.add(`Image ${image.id} is not available yet: its status is "${image.status}"`, "image");
    return;
  }
  problems.addUnless(
    room.size >= image.size,
    `Leaves ${Math.max(0, room.size)} MB for image ${image.id}, which requires ${image.size} MB`,
    room.field,
  );
}

/** Creates the disks of a deployed image, and a config that boots them. A job writes the disks. */
export function deploy(
  world: World,
  instance: RowOf<"instances">,
  image: string,
  { root_pass, swap_size, interfaces }: { root_pass?: string | undefined; swap_size: number; interfaces: Interface[] },
): void {
  const { label, size: used } = world.images.get(image);
  const common = { compute_id: instance.id, status: "not ready" as const };
  const root = world.disks.insert({
    ...common,
    label: `${label.slice(0, 43)} Disk`,
    filesystem: filesystemOf(world, image),
    size: instance.specs.disk - swap_size,
    used,
    root_pass: root_pass === undefined ? null : passwordDigest(world, root_pass),
  });
  const swap =
    swap_size > 0 &&
    world.disks.insert({
      ...common,
      label: `${swap_size} MB Swap Image`,
      filesystem: "swap",
      size: swap_size,
      used: 0,
      root_pass: null,
    });
  const config = addConfig(world, instance, {
    label: `My ${label.slice(0, 32)} Disk Profile`,
    kernel: "compute/latest-64bit",
    devices: {
      sda: { disk_id: root.id, volume_id: null },
      ...(swap && { sdb: { disk_id: swap.id, volume_id: null } }),
    },
    interfaces,
  });
  world.instances.patch(instance.id, { image, booted_config: config.id });
}

/** A salted digest of the password. Passwords are never stored. */
export function passwordDigest(world: World, password: string): string {
  const salt = world.random.hex(16);
  return `${salt}$${createHash("sha256").update(`${salt}${password}`).digest("hex")}`;
}
