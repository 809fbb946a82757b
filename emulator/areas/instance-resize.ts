import type { instances } from "../../api";
import { entity } from "../events";
import type { Handlers } from "../handlers";
import { Reasons } from "../refusal";
import { type Outcome, task } from "../tasks";
import type { World } from "../world";
import { accountOf, dollars, owes } from "./billing";
import { RATE } from "./disk-jobs";
import { type DiskRow, diskSpace } from "./instance-disks";
import { arrive, queueBoot, refuseUnless } from "./instance-power";
import type { InstanceRow } from "./instances";

const RESIZE_SECONDS = 60;

export interface Move {
  id: number;
  type: string;
  auto: boolean;
  before: "running" | "offline";
}

/** The instance is of its new type and boots if it ran; after a failure it is as it was. */
const moved = task<Move>("instances.moved", (world, { id, type, auto, before }, outcome: Outcome) => {
  const instance = world.instances.find(id);
  if (!instance) return;
  if (outcome === "finished") {
    const { disk, memory, vcpus, transfer } = world.types.get(type);
    const follower = auto ? followerOf(world, instance) : undefined;
    if (follower) world.disks.patch(follower.disk.id, { size: disk - follower.rest });
    world.instances.patch(id, { type, specs: { disk, memory, vcpus, transfer } });
  }
  arrive(world, { id, to: before === "running" ? "booting" : "offline", from: before }, outcome);
});

export const tasks = [moved];

export const handlers = {
  resize({ world, path, body }) {
    const instance = world.instances.get(path.computeId);
    const { id } = instance;
    refuseUnless(world, instance, "resize");
    const problems = new Reasons();
    const { balance } = accountOf(world);
    problems.require(!owes(world), `The account owes ${dollars(balance)}; an instance is resized when that is paid`);
    problems.require(body.type !== instance.type, `The instance is of type ${body.type} already`, "type");
    if (body.type !== instance.type) checkSpace(world, instance, body, problems);
    problems.refuse();
    const before = instance.status as Move["before"];
    world.instances.patch(id, { status: "migrating" });
    const used = world.disks.by("compute_id", id).reduce((sum, disk) => sum + disk.used, 0);
    world.jobs.start({
      entity: entity("compute", instance),
      action: "compute_resize",
      seconds: RESIZE_SECONDS + used / RATE,
      compute: id,
      task: moved,
      args: { id, type: body.type, auto: body.allow_auto_disk_resize, before },
    });
    if (before === "running") queueBoot(world, instance);
    return {};
  },
} satisfies Partial<Handlers<typeof instances>>;

/** The new type must have room for the disks, or for the data of the one that follows its size (rule 11). */
function checkSpace(
  world: World,
  instance: Readonly<InstanceRow>,
  { type, allow_auto_disk_resize: auto }: { type: string; allow_auto_disk_resize: boolean },
  problems: Reasons,
): void {
  const { disk: room } = world.types.get(type);
  const follower = auto ? followerOf(world, instance) : undefined;
  if (follower) {
    const { disk, rest } = follower;
    const left = room - rest;
    problems.require(
      left >= Math.max(1, disk.used),
      `${type} leaves ${left} MB for disk ${disk.id}, whose data take ${disk.used} MB`,
      "type",
    );
    return;
  }
  const space = diskSpace(world, instance.id);
  problems.require(
    space <= room,
    `The disks take ${space} MB and ${type} has ${room} MB: shrink or delete disks first`,
    "type",
  );
}

/** The one disk that follows the size of the type, beside at most a swap disk, and what that takes. */
function followerOf(
  world: World,
  { id }: Readonly<InstanceRow>,
): { disk: Readonly<DiskRow>; rest: number } | undefined {
  const disks = world.disks.by("compute_id", id);
  const [disk, ...others] = disks.filter(({ filesystem }) => filesystem.startsWith("ext"));
  const [swap, ...more] = disks.filter(({ filesystem }) => filesystem === "swap");
  const alone = others.length === 0 && more.length === 0 && disks.length === (swap ? 2 : 1);
  return disk && alone ? { disk, rest: swap?.size ?? 0 } : undefined;
}
