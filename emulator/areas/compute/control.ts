import { z } from "zod";
import { action } from "../../http/control/action";
import { within } from "../../http/control/time";
import type { Part } from "../../http/handlers";
import { crash, scheduleMigration, stopForMaintenance } from "./instance-outages";

const Which = z.strictObject({ compute_id: z.int().min(1).describe("Id of the instance that is affected.") });
const Stop = Which.extend({
  seconds: z
    .number()
    .min(1)
    .default(3600)
    .describe("Duration of the maintenance in seconds. If the instance was running, it boots again afterwards."),
});

/** Endpoints under `/_emulator` that simulate events of instances, such as a crash or maintenance by the platform. */
export const computeControl: Part = {
  control: {
    crash: {
      POST: action(Which, ({ world }, { compute_id }) => {
        crash(world, compute_id);
        return {};
      }),
    },
    stop: {
      POST: action(Stop, ({ world }, { compute_id, seconds }) => {
        within(world.clock, seconds * 1000, "seconds");
        stopForMaintenance(world, compute_id, seconds);
        return {};
      }),
    },
    migration: {
      POST: action(Which, ({ world }, { compute_id }) => {
        scheduleMigration(world, compute_id);
        return {};
      }),
    },
  },
};
