import { ErrorResponse, Reasons } from "../../core/error-response";
import { entity } from "../../core/events";
import { task } from "../../core/world";
import type { AreaFragment } from "../../http/handlers";
import { disksReady, startPassword } from "./disk-jobs";
import { wipe } from "./instance-backups";
import { checkDeployment, deploy } from "./instance-deploy";
import { arrive, off, queueBoot, requireStatus, settled } from "./instance-power";
import { setStatus } from "./instance-runs";

const REBUILD_SECONDS = 45;
/** Size in MB of the swap disk that a rebuild creates. */
const SWAP = 512;

/** Runs when the job that rebuilds an instance has ended. If the job failed, the instance stays powered off. */
const rebuilt = task<{ id: number; boot: boolean }>("instances.rebuilt", (world, { id, boot }, outcome) => {
  disksReady(world, id);
  arrive(world, { id, to: boot ? "booting" : "offline", from: "offline" }, outcome);
});

export const instanceRebuild = {
  tasks: [rebuilt],
  handlers: {
    rebuild({ world, path, body }) {
      const instance = world.instances.get(path.computeId);
      const { id } = instance;
      requireStatus(instance, settled);
      const problems = new Reasons();
      checkDeployment(world, body, { size: instance.specs.disk - SWAP, field: "image" }, problems);
      problems.throwIfAny();
      wipe(world, id);
      deploy(world, instance, body.image, { root_pass: body.root_pass, swap_size: SWAP, interfaces: [] });
      const changed = setStatus(world, id, "rebuilding");
      const args = { id, boot: body.booted };
      const about = entity("compute", instance);
      world.jobs.start({
        entity: about,
        action: "compute_rebuild",
        seconds: REBUILD_SECONDS,
        compute: id,
        task: rebuilt,
        args,
      });
      if (body.booted) queueBoot(world, instance);
      return changed;
    },

    resetPassword({ world, path, body }) {
      const instance = world.instances.get(path.computeId);
      requireStatus(instance, off);
      const disks = world.disks.by("compute_id", instance.id).filter(({ filesystem }) => filesystem !== "swap");
      if (disks.length > 1) {
        const ids = disks.map(({ id }) => id).join(", ");
        throw new ErrorResponse(
          400,
          `Instance ${instance.id} has several disks in addition to swap (${ids}): set the password on one of them`,
        );
      }
      const disk = disks.find(({ root_pass }) => root_pass !== null);
      if (!disk)
        throw new ErrorResponse(
          400,
          `Instance ${instance.id} does not have a disk that contains a system with a root password`,
        );
      startPassword(world, instance, disk, body.root_pass);
      return {};
    },
  },
} satisfies AreaFragment<"instances">;
