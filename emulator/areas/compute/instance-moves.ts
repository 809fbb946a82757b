import { instanceMigrateRules } from "../../../api";
import { ErrorResponse, Reasons } from "../../core/error-response";
import { entity } from "../../core/events";
import type { RowOf } from "../../core/store";
import type { Outcome } from "../../core/tasks";
import { task, type World } from "../../core/world";
import type { AreaFragment } from "../../http/handlers";
import { accountOf, dollars, hasBalanceDue } from "../account/billing";
import { addIPv4, addSlaac } from "../networking/address-pool";
import { backupsLost } from "./backup-contents";
import { RATE } from "./disk-jobs";
import { MOVED } from "./instance-configs";
import { diskSpace } from "./instance-disks";
import { arrive, queueBoot, requireStatus, settled } from "./instance-power";
import { releaseAddresses } from "./instance-removal";
import { setStatus } from "./instance-runs";
import { leaveVlans, rejectVlansOfOtherRegions } from "./instance-vlans";
import { checkRegion } from "./regions";

const MOVE_SECONDS = 60;

/**
 * The type and region of an instance after a resize or a migration. A resize keeps the region, and a migration keeps
 * the type.
 */
export interface Move {
  id: number;
  type: string;
  region: string;
  /** Whether a resize of the instance also resizes its disk (`allow_auto_disk_resize`). */
  auto: boolean;
  before: "running" | "offline";
}

/**
 * Runs when a resize or migration has ended. Sets the new type and region, and boots the instance if it was running. If
 * the job failed, the instance is unchanged.
 */
const moved = task<Move>(MOVED, (world, { id, type, region, auto, before }, outcome: Outcome) => {
  const instance = world.instances.find(id);
  if (!instance) return;
  if (outcome === "finished") {
    if (type !== instance.type) retype(world, instance, type, auto);
    if (region !== instance.region) relocate(world, instance, region);
    world.instances.patch(id, { migration_pending: false });
  }
  arrive(world, { id, to: before === "running" ? "booting" : "offline", from: before }, outcome);
});

export const instanceMoves = {
  tasks: [moved],
  rules: { migrate: instanceMigrateRules },
  handlers: {
    resize({ world, path, body }) {
      const instance = world.instances.get(path.computeId);
      requireStatus(instance, settled);
      const problems = new Reasons();
      rejectPending(instance, problems);
      rejectBalance(world, problems);
      const { type, allow_auto_disk_resize: auto } = body;
      problems.addUnless(type !== instance.type, `The instance already has the type ${type}`, "type");
      if (type !== instance.type) checkSpace(world, instance, { type, auto, field: "type" }, problems);
      problems.throwIfAny();
      world.events.add("compute_resize_create", entity("compute", instance));
      start(world, instance, "compute_resize", { type, auto });
      return {};
    },

    mutate({ world, path, body }) {
      const instance = world.instances.get(path.computeId);
      requireStatus(instance, settled);
      const auto = body.allow_auto_disk_resize;
      const problems = new Reasons();
      rejectPending(instance, problems);
      rejectBalance(world, problems);
      const type = successorOf(world, instance, problems);
      if (type !== instance.type) checkSpace(world, instance, { type, auto }, problems);
      problems.throwIfAny();
      world.events.add("compute_mutate_create", entity("compute", instance));
      start(world, instance, "compute_mutate", { type, auto });
      return {};
    },

    migrate({ world, path, body: { region, upgrade } }) {
      const instance = world.instances.get(path.computeId);
      requireStatus(instance, settled);
      if (region === undefined) {
        if (!instance.migration_pending)
          throw new ErrorResponse(
            400,
            `No migration is pending for instance ${instance.id}; set region to the region to move it to`,
            "region",
          );
        start(world, instance, "compute_migrate", {});
        return {};
      }
      const problems = new Reasons();
      checkMigration(world, instance, region, problems);
      const type = upgrade ? successorOf(world, instance, problems, "upgrade") : instance.type;
      if (type !== instance.type) checkSpace(world, instance, { type, auto: true, field: "upgrade" }, problems);
      problems.throwIfAny();
      world.events.add("compute_migrate_datacenter_create", entity("compute", instance));
      start(world, instance, "compute_migrate_datacenter", { region, type });
      return {};
    },
  },
} satisfies AreaFragment<"instances">;

/** Starts a resize or migration. If the instance is running, also queues a boot to run afterwards. */
function start(
  world: World,
  instance: RowOf<"instances">,
  action: "compute_resize" | "compute_mutate" | "compute_migrate" | "compute_migrate_datacenter",
  { type = instance.type, region = instance.region, auto = true }: Partial<Pick<Move, "type" | "region" | "auto">>,
): void {
  const { id } = instance;
  const before = instance.status as Move["before"];
  setStatus(world, id, "migrating");
  const used = world.disks.by("compute_id", id).reduce((sum, disk) => sum + disk.used, 0);
  world.jobs.start({
    entity: entity("compute", instance),
    action,
    seconds: MOVE_SECONDS + used / RATE,
    compute: id,
    task: moved,
    args: { id, type, region, auto, before: before },
  });
  if (before === "running") queueBoot(world, instance);
}

function retype(world: World, instance: RowOf<"instances">, type: string, auto: boolean): void {
  const { disk, memory, vcpus, transfer } = world.types.get(type);
  const follower = auto ? followerOf(world, instance) : undefined;
  if (follower) world.disks.patch(follower.disk.id, { size: disk - follower.rest });
  world.instances.patch(instance.id, { type, specs: { disk, memory, vcpus, transfer } });
}

/** Moves an instance to another region, where it gets other addresses and VLANs and loses its backups. */
function relocate(world: World, instance: RowOf<"instances">, region: string): void {
  const { id } = instance;
  const hadPrivate = instance.ipv4.some((address) => world.addresses.find(address)?.public === false);
  leaveVlans(world, id);
  releaseAddresses(world, id);
  backupsLost(world, id);
  const ipv4 = [addIPv4(world, id, region, true).id];
  if (hadPrivate) ipv4.push(addIPv4(world, id, region, false).id);
  world.instances.patch(id, { region, ipv4, ipv6: `${addSlaac(world, id, region).id}/128` });
}

function checkMigration(world: World, instance: RowOf<"instances">, region: string, problems: Reasons): void {
  const { id } = instance;
  problems.addUnless(region !== instance.region, `Instance ${id} is already in ${region}`, "region");
  checkRegion(world, region, "Computes", problems, "region");
  rejectVlansOfOtherRegions(world, id, world.instanceConfigs.by("compute_id", id), region, problems);
  const volumes = world.volumes.by("compute_id", id).map((volume) => volume.id);
  problems.addUnless(
    volumes.length === 0,
    `Volumes stay in their region: detach ${volumes.join(", ")} from instance ${id} first`,
  );
  const [node] = world.lkeNodes.by("instance_id", id);
  problems.addUnless(
    !node,
    `Instance ${id} is a node of cluster ${node?.cluster_id} and cannot leave the region of the cluster`,
  );
}

/**
 * Rejects the request if a migration of the instance is pending (API documentation, part 1 · Endpoints · Compute
 * instances · rule 11).
 */
const rejectPending = ({ id, migration_pending: pending }: RowOf<"instances">, problems: Reasons): void =>
  problems.addUnless(!pending, `A migration is pending for instance ${id}; start it first`);

/**
 * Rejects the request if the account has an outstanding balance (API documentation, part 1 · Endpoints · Compute
 * instances · rule 11).
 */
const rejectBalance = (world: World, problems: Reasons): void =>
  problems.addUnless(
    !hasBalanceDue(world),
    `The account owes ${dollars(accountOf(world).balance)}; pay the balance before you change the type of an instance`,
  );

function successorOf(world: World, { type }: RowOf<"instances">, problems: Reasons, field?: string): string {
  const { successor } = world.types.get(type);
  if (successor === null) problems.add(`Type ${type} is not retired, so it cannot be upgraded`, field);
  return successor ?? type;
}

/**
 * Checks that the new type has room for the disks. A disk that is resized together with the instance needs room only
 * for its data (API documentation, part 1 · Endpoints · Compute instances · rule 11).
 */
function checkSpace(
  world: World,
  instance: RowOf<"instances">,
  { type, auto, field }: { type: string; auto: boolean; field?: string },
  problems: Reasons,
): void {
  const { disk: room } = world.types.get(type);
  const follower = auto ? followerOf(world, instance) : undefined;
  if (follower) {
    const { disk, rest } = follower;
    const left = room - rest;
    problems.addUnless(
      left >= Math.max(1, disk.used),
      `With ${type}, disk ${disk.id} would have ${left} MB, but its data takes ${disk.used} MB`,
      field,
    );
    return;
  }
  const space = diskSpace(world, instance.id);
  problems.addUnless(
    space <= room,
    `The disks take ${space} MB, but the type ${type} has only ${room} MB: shrink or delete disks first`,
    field,
  );
}

/**
 * The disk that is resized together with the instance, and the size of the swap disk (`rest`). Undefined unless the
 * instance has exactly one ext3 or ext4 disk and, apart from it, at most one swap disk.
 */
function followerOf(world: World, { id }: RowOf<"instances">): { disk: RowOf<"disks">; rest: number } | undefined {
  const disks = world.disks.by("compute_id", id);
  const [disk, ...others] = disks.filter(({ filesystem }) => filesystem.startsWith("ext"));
  const [swap, ...more] = disks.filter(({ filesystem }) => filesystem === "swap");
  const alone = others.length === 0 && more.length === 0 && disks.length === (swap ? 2 : 1);
  return disk && alone ? { disk, rest: swap?.size ?? 0 } : undefined;
}
