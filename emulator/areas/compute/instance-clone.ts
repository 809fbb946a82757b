import { type InstanceClone, instanceCloneRules } from "../../../api";
import { ErrorResponse, Reasons } from "../../core/error-response";
import { entity } from "../../core/events";
import { rejectBusy } from "../../core/jobs";
import type { RowOf } from "../../core/store";
import { task, type World } from "../../core/world";
import { requireFreeLabel } from "../../http/account-checks";
import type { Caller } from "../../http/auth";
import type { AreaFragment } from "../../http/handlers";
import { backupsOn, putBack } from "./backup-contents";
import { disksReady, RATE, removeDisk } from "./disk-jobs";
import { addMachine } from "./instance-create";
import { diskSpace } from "./instance-disks";
import { arrive, requireStatus, settled } from "./instance-power";
import { setStatus } from "./instance-runs";
import { rejectVlansOfOtherRegions } from "./instance-vlans";
import { checkRegion } from "./regions";

const CLONE_SECONDS = 60;
/** Maximum number of clones of an instance that can be in progress at the same time. */
const MAX_CLONES = 5;

interface Chosen {
  disks: readonly RowOf<"disks">[];
  configs: readonly RowOf<"instanceConfigs">[];
}

interface Copies {
  /** The instance to which disks and configs are copied. */
  id: number;
  before: "running" | "offline";
  disks: readonly number[];
  configs: readonly number[];
  source?: number;
}

/** Runs when the job that clones an instance has ended. If the job failed, all copies are deleted. */
const cloned = task<Copies>("instances.cloned", (world, { id, before, disks, configs }, outcome) => {
  if (outcome === "finished") disksReady(world, id);
  else {
    for (const config of configs) if (world.instanceConfigs.find(config)) world.instanceConfigs.remove(config);
    for (const disk of disks) if (world.disks.find(disk)) removeDisk(world, disk);
  }
  arrive(world, { id, to: before, from: before }, outcome);
});

export const instanceClone = {
  tasks: [cloned],
  rules: { clone: instanceCloneRules },
  handlers: {
    clone({ world, caller, path, body }) {
      const source = world.instances.get(path.computeId);
      requireStatus(source, settled);
      rejectManyCopies(world, source.id);
      const problems = new Reasons();
      const chosen = choose(world, source, body, problems);
      const existing =
        body.compute_id === undefined ? undefined : targetOf(world, caller, source, body.compute_id, problems);
      if (existing) rejectOverfull(chosen, existing.specs.disk - diskSpace(world, existing.id), problems, "compute_id");
      if (body.compute_id === undefined) checkNew(world, body, chosen, problems);
      const region = existing?.region ?? body.region;
      if (region !== undefined) rejectVlansOfOtherRegions(world, source.id, chosen.configs, region, problems);
      problems.throwIfAny();
      const target = existing ?? addTarget(world, caller, source, body);
      const image = chosen.disks.length > 0 ? source.image : null;
      const copies = putBack(world, world.instances.get(target.id), { ...chosen, image });
      const args: Copies = {
        source: source.id,
        id: target.id,
        before: target.status === "running" ? "running" : "offline",
        ...copies,
      };
      const used = chosen.disks.reduce((sum, disk) => sum + disk.used, 0);
      setStatus(world, target.id, "cloning");
      world.jobs.start({
        entity: entity("compute", source),
        secondary: entity("compute", target),
        action: "compute_clone",
        seconds: CLONE_SECONDS + used / RATE,
        compute: target.id,
        task: cloned,
        args,
      });
      return world.instances.get(target.id);
    },
  },
} satisfies AreaFragment<"instances">;

function rejectManyCopies(world: World, source: number): void {
  const copies = world.jobs.table.where(({ task, args }) => task === cloned.name && (args as Copies).source === source);
  if (copies.length >= MAX_CLONES)
    throw new ErrorResponse(
      400,
      `Instance ${source} is already being cloned ${copies.length} times; wait until one of the clones is complete`,
    );
}

/**
 * Selects the requested configs with their disks, and the disks that are requested individually. All configs are copied
 * by default.
 */
function choose(world: World, { id }: RowOf<"instances">, wanted: InstanceClone, problems: Reasons): Chosen {
  const all = { disks: world.disks.by("compute_id", id), configs: world.instanceConfigs.by("compute_id", id) };
  for (const [what, rows] of Object.entries(all))
    for (const [at, one] of (wanted[what as keyof Chosen] ?? []).entries())
      problems.addUnless(
        rows.some((row) => row.id === one),
        `There is no ${what.slice(0, -1)} ${one} on instance ${id}`,
        `${what}.${at}`,
      );
  const configs = all.configs.filter((config) => wanted.configs?.includes(config.id) ?? true);
  const plugged = new Set(configs.flatMap(({ devices }) => Object.values(devices).map((device) => device?.disk_id)));
  const disks = all.disks.filter((disk) => plugged.has(disk.id) || wanted.disks?.includes(disk.id));
  return { disks, configs };
}

/** The existing instance to which a clone is written. Throws unless the caller may change it and it is idle. */
function targetOf(
  world: World,
  caller: Caller,
  source: RowOf<"instances">,
  id: number,
  problems: Reasons,
): RowOf<"instances"> | undefined {
  const target = world.instances.find(id);
  if (!target || !caller.may("compute", id, "read_only")) {
    problems.add(`There is no instance ${id}`, "compute_id");
    return undefined;
  }
  caller.need("compute", id, "read_write");
  problems.addUnless(id !== source.id, "Must not be the instance that is cloned", "compute_id");
  rejectBusy(world, id);
  requireStatus(target, settled, "compute_id");
  return target;
}

function checkNew(world: World, { region, type, label }: InstanceClone, chosen: Chosen, problems: Reasons): void {
  if (region !== undefined) checkRegion(world, region, "Computes", problems, "region");
  if (type !== undefined) rejectOverfull(chosen, world.types.get(type).disk, problems, "type");
  if (label !== undefined) requireFreeLabel(world.instances, problems, label);
}

function rejectOverfull({ disks }: Chosen, free: number, problems: Reasons, field: string): void {
  const size = disks.reduce((sum, disk) => sum + disk.size, 0);
  problems.addUnless(
    size <= free,
    `Must have at least ${size} MB of free disk space for the cloned disks; it has ${free} MB`,
    field,
  );
}

/** Creates the instance to which a clone is written. Region and type default to those of the cloned instance. */
function addTarget(
  world: World,
  caller: Caller,
  source: RowOf<"instances">,
  { region = source.region, type = source.type, label, group, backups_enabled: backups }: InstanceClone,
): RowOf<"instances"> {
  const tags = caller.restricted ? [] : source.tags;
  const target = addMachine(world, { region, type, label, group, tags, status: "cloning" });
  if (backups) backupsOn(world, target);
  return world.instances.get(target.id);
}
